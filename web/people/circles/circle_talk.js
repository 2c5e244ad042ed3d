// @ts-check
/**
 * The talk of a circle: a field to write in, and the messages, newest first.
 *
 * @typedef {import("./circle_page.js").Circle} Circle
 * @typedef {{id: string, number: number, name: string, program: boolean, you: boolean, at: string, text: string | null, hidden: boolean}} Message
 */

import { Asking, get, post, request } from "../../base/api.js";
import { confirmDialog } from "../../base/controls/confirm_dialog.js";
import { drawForm } from "../../base/controls/form.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { randomNonce } from "../../base/nonces.js";
import { formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";

const LONGEST = 1000;

export class CircleTalk {
  /** Newest first. @type {Message[]} */
  #messages = [];
  /** @type {string | null} */
  #next = null;
  /** Those that were asked for and are older than the newest page. @type {Message[]} */
  #earlier = [];
  #host = false;
  #asking = new Asking();

  /** @param {string} path of the circle @param {() => void} redraw */
  constructor(path, redraw) {
    this.path = path;
    this.redraw = redraw;
  }

  /** @param {Circle} circle */
  async load({ host, unread }) {
    this.#host = host;
    const page = await this.#asking.get(`${this.path}/messages`);
    this.#messages = page.messages;
    if (this.#earlier.length === 0) this.#next = page.next;
    const newest = this.#messages[0];
    if (unread && newest && !document.hidden) await request("PUT", `${this.path}/mark`, { body: { number: newest.number } });
  }

  draw() {
    const newest = new Set(this.#messages.map(({ id }) => id));
    const said = [...this.#messages, ...this.#earlier.filter(({ id }) => !newest.has(id))];
    return h("section", { key: "talk", className: "talk" },
      h("h2", {}, t("talk")),
      this.#drawComposer(),
      said.length === 0 && h("p", { className: "soft", key: "empty" }, t("talk.empty")),
      h("ol", { key: "said", reversed: true }, said.map(each => this.#drawMessage(each))),
      this.#next && h("button", { type: "button", key: "earlier", onclick: () => attempt(() => this.#loadEarlier()) }, t("history.earlier")));
  }

  async #loadEarlier() {
    const page = await get(`${this.path}/messages?cursor=${this.#next}`);
    this.#earlier.push(...page.messages);
    this.#next = page.next;
    this.redraw();
  }

  #drawComposer() {
    const form = drawForm("say", {
      fields: [{ name: "text", label: t("talk.say"), required: true, maxlength: LONGEST, autocomplete: "off" }],
      buttons: [["", t("talk.send")]],
      send: async ({ text }) => {
        await post(`${this.path}/messages`, { text: text.trim(), once: randomNonce() });
        /** @type {HTMLInputElement} */ (document.getElementById("say-text")).value = "";
        await this.#reload();
      },
    });
    form.setAttribute("data-key", "form");
    return form;
  }

  async #reload() {
    this.#messages = (await this.#asking.get(`${this.path}/messages`)).messages;
    this.redraw();
  }

  /** @param {Message} message */
  #drawMessage(message) {
    const { id, name, program, at, text, you } = message;
    return h("li", { key: id, className: you ? "own" : "" },
      h("p", { className: "by" }, h("b", {}, program ? t("house.called", { name }) : name), you && h("span", { className: "tag" }, t("seat.you")), h("time", { datetime: at }, formatTime(at))),
      h("p", { className: text === null ? "soft" : "text" }, text ?? t("talk.hidden")),
      this.#drawMenu(message));
  }

  /** @param {Message} message */
  #drawMenu({ id, name, you, hidden, text }) {
    const hide = () => this.#hide(id);
    const report = () => this.#report(id, text ?? t("talk.hidden"));
    const ways = [
      this.#host && !hidden && h("button", { type: "button", "data-way": "hide", onclick: hide }, t("talk.hide")),
      !you && h("button", { type: "button", "data-way": "report", onclick: report }, t("talk.report")),
    ].filter(Boolean);
    return ways.length > 0 && h("details", { className: "message-menu" }, h("summary", { "aria-label": t("talk.ways", { name }) }, "⋯"), h("div", { className: "buttons" }, ways));
  }

  /** @param {string} id */
  async #hide(id) {
    if (!(await confirmDialog(t("talk.hide"), t("talk.hide.what"), t("talk.hide")))) return;
    await attempt(async () => {
      await request("DELETE", `${this.path}/messages/${id}`);
      await this.#reload();
    });
  }

  /** @param {string} id @param {string} text */
  async #report(id, text) {
    const why = h("textarea", { id: "why", rows: 3, maxlength: 500 });
    const asked = await confirmDialog(t("talk.report"), t("talk.report.what"), t("talk.report.do"), h("p", { className: "quote" }, text), h("label", { for: "why" }, t("talk.report.why")), why);
    if (!asked) return;
    const said = why.value.trim();
    await attempt(async () => {
      await post(`${this.path}/messages/${id}/reports`, said ? { why: said } : {});
      showToast(t("talk.report.done"));
    });
  }
}
