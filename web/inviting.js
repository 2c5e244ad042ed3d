// @ts-check
/** Whom the people at a table that has not started have invited; and inviting by mail. */

import { ask, get, post } from "./api.js";
import { h } from "./dom.js";
import { formOf } from "./fields.js";
import { attempt, tell } from "./notice.js";
import { player } from "./player.js";
import { language, t } from "./words.js";

/** @typedef {{id: string, name: string | null, address: string | null, yours: boolean, declined: boolean}} Invitation */

export class Inviting {
  /** @type {Invitation[]} */
  all = [];
  #revision = -1;

  /** @param {string} path of the game @param {() => void} redraw */
  constructor(path, redraw) {
    this.path = `${path}/invitations`;
    this.redraw = redraw;
  }

  /** Draws what is known, and loads what came since. @param {import("./api.js").Game} game */
  draw(game) {
    if (game.revision > this.#revision) this.#load(game.revision);
    return h("div", { className: "invite", key: "by mail" },
      h("h3", {}, t("inviting.mail")),
      player()?.address ? this.#form() : h("p", { className: "soft" }, t("inviting.unverified"), " ", h("a", { href: "#/me" }, t("me.title"))),
      h("ul", { className: "tokens" }, this.all.map(each => this.#one(each))));
  }

  #form() {
    const form = formOf("invite", {
      fields: [{ name: "address", label: t("account.address"), hint: t("inviting.hint"), type: "email", required: true, maxlength: 254, autocomplete: "off" }],
      buttons: [["", t("inviting.do")]],
      send: async ({ address }) => {
        await post(this.path, { address, language: language() });
        /** @type {HTMLInputElement} */ (document.getElementById("invite-address")).value = "";
        tell(t("inviting.done"));
        await this.#load(this.#revision);
      },
    });
    form.setAttribute("data-key", "form");
    return form;
  }

  /** @param {Invitation} invitation */
  #one({ id, name, address, yours, declined }) {
    const back = () => attempt(() => ask("DELETE", `${this.path}/${id}`)).then(() => this.#load(this.#revision));
    return h("li", { key: id },
      h("span", {}, name ?? address ?? t("inviting.somebody"), declined && h("span", { className: "tag" }, t("inviting.declined"))),
      yours && !declined && h("button", { type: "button", onclick: back }, t("inviting.back")));
  }

  /** @param {number} revision */
  async #load(revision) {
    this.#revision = revision;
    await attempt(async () => {
      this.all = (await get(this.path)).invitations;
    });
    this.redraw();
  }
}
