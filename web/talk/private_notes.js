// @ts-check
/** The user's private notes about a game. Loaded when opened, saved when the field loses focus. */

import { get, request } from "../base/api.js";
import { attempt, showToast } from "../base/controls/toasts.js";
import { h } from "../base/dom.js";
import { t } from "../base/words.js";

const LONGEST = 10_000;

export class Notes {
  text = "";
  #known = false;

  /** @param {string} path of the game @param {() => void} redraw */
  constructor(path, redraw) {
    this.path = `${path}/notes`;
    this.redraw = redraw;
  }

  draw() {
    const note = (/** @type {any} */ event) => {
      this.text = event.target.value;
    };
    const show = (/** @type {any} */ event) => event.target.open && this.#load();
    return h("details", { className: "more", key: "notes", ontoggle: show },
      h("summary", {}, t("notes")),
      h("label", { for: "notes", className: "soft small" }, t("notes.why")),
      h("textarea", { id: "notes", rows: 6, maxlength: LONGEST, ".value": this.text, disabled: !this.#known, oninput: note, onchange: () => this.#save() }),
      h("div", { className: "buttons" }, h("button", { type: "button", onclick: () => this.#save() }, t("me.save"))));
  }

  /** Loads the notes once, so that text typed since is not overwritten. */
  async #load() {
    if (this.#known) return;
    await attempt(async () => {
      this.text = (await get(this.path)).text;
      this.#known = true;
    });
    this.redraw();
  }

  #save() {
    return attempt(async () => {
      await request("PUT", this.path, { body: { text: this.text } });
      showToast(t("me.saved"));
    });
  }
}
