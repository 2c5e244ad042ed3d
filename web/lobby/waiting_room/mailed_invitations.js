// @ts-check
/** Invitations to a table before the start: of people whom the user follows, by handle or by mail, and those sent so far. */

import { get, post, request } from "../../base/api.js";
import { drawForm } from "../../base/controls/form.js";
import { LatePart } from "../../base/controls/late_part.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { isHost } from "../../base/game.js";
import { language, loadAllWords, t } from "../../base/words.js";
import { player } from "../../people/sign_in/session.js";

/** @typedef {{id: string, name: string | null, address: string | null, yours: boolean, declined: boolean}} Invitation */

export class MailInvitations {
  /** @type {Invitation[]} */
  all = [];
  /** Most tables are full before anybody invites by name: it is loaded where somebody can. */
  #byName;
  #revision = -1;
  #host = false;

  /** @param {string} path of the game @param {() => void} redraw */
  constructor(path, redraw) {
    this.path = `${path}/invitations`;
    this.redraw = redraw;
    this.#byName = new LatePart(() => this.#loadByName(), redraw);
  }

  /** Draws the invitations loaded so far, and reloads them when the table has changed. @param {import("../../base/api.js").Game} game */
  draw(game) {
    this.#host = isHost(game);
    if (game.revision > this.#revision) this.#load(game.revision);
    const byName = player()?.address ? this.#byName.draw() : false;
    if (byName === null) return null; // it would move what is below it
    return h("div", { className: "invite", key: "by mail" },
      byName,
      h("h3", {}, t("invite.mail")),
      player()?.address ? this.#drawForm() : h("p", { className: "soft" }, t("invite.unverified"), " ", h("a", { href: "/me" }, t("me.title"))),
      h("ul", { className: "item-list" }, this.all.map(each => this.#drawInvitation(each))));
  }

  async #loadByName() {
    const [{ InvitedPlayers }] = await Promise.all([import("./invited_players.js"), loadAllWords()]);
    const byName = new InvitedPlayers(this.path, () => this.#load(this.#revision));
    await byName.load();
    return () => byName.draw();
  }

  #drawForm() {
    const form = drawForm("invite", {
      fields: [{ name: "address", label: t("account.address"), hint: t("invite.hint"), type: "email", required: true, maxlength: 254, autocomplete: "off" }],
      buttons: [["", t("invite.do")]],
      send: async ({ address }) => {
        await post(this.path, { address, language: language() });
        /** @type {HTMLInputElement} */ (document.getElementById("invite-address")).value = "";
        showToast(t("invite.done"));
        await this.#load(this.#revision);
      },
    });
    form.setAttribute("data-key", "form");
    return form;
  }

  /** @param {Invitation} invitation */
  #drawInvitation({ id, name, address, yours, declined }) {
    const back = () => attempt(() => request("DELETE", `${this.path}/${id}`)).then(() => this.#load(this.#revision));
    return h("li", { key: id },
      h("span", {}, name ?? address ?? t("invite.somebody"), declined && h("span", { className: "tag" }, t("invite.declined"))),
      (yours || this.#host) && !declined && h("button", { type: "button", onclick: back }, t("invite.back")));
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
