// @ts-check
/** Inviting players to a table before the start: those whom the user follows first, others by handle. */

import { get, post } from "../../base/api.js";
import { drawForm } from "../../base/controls/form.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";

export class InvitedPlayers {
  /** The people whom the user follows. @type {{id: string, name: string}[]} */
  #follows = [];

  /** @param {string} path of the invitations to the table @param {() => Promise<void>} again loads the invitations anew */
  constructor(path, again) {
    this.path = path;
    this.again = again;
  }

  async load() {
    this.#follows = (await get("/api/me/follows?limit=100")).follows;
  }

  draw() {
    const form = drawForm("invite-by-name", {
      fields: [{ name: "handle", label: t("account.handle"), required: true, maxlength: 24, autocomplete: "off" }],
      buttons: [["", t("invite.by-name.do")]],
      send: async ({ handle }) => {
        await this.#invite({ handle: handle.trim() });
        /** @type {HTMLInputElement} */ (document.getElementById("invite-by-name-handle")).value = "";
      },
    });
    form.setAttribute("data-key", "by name");
    return [
      h("h3", {}, t("invite.by-name")),
      this.#follows.length > 0 && h("p", { className: "buttons", key: "follows" }, this.#follows.map(({ id, name }) => h("button", { type: "button", key: id, "aria-label": t("invite.which", { name }), onclick: () => attempt(() => this.#invite({ follow: id })) }, name))),
      form];
  }

  /** @param {{handle: string} | {follow: string}} whom */
  async #invite(whom) {
    await post(this.path, whom);
    showToast(t("invite.by-name.done"));
    await this.again();
  }
}
