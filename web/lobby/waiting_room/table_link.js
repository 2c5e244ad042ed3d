// @ts-check
/**
 * The link of a table: to be copied, sent by whatever the device sends things with, or read by a phone beside the screen.
 *
 * @typedef {import("../../base/api.js").Game} Game
 */

import { getBytes } from "../../base/api.js";
import { copyField } from "../../base/controls/copy_field.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { tableUrl } from "../../base/routes.js";
import { t } from "../../base/words.js";

export class TableLink {
  /** The link whose code has come, or is on its way. */
  #link = "";
  /** Its QR code, as the address of a picture. */
  #code = "";

  /** @param {string} path of the game in the API @param {() => void} redraw */
  constructor(path, redraw) {
    this.path = path;
    this.redraw = redraw;
  }

  /** @param {Game} game */
  draw(game) {
    const link = game.invitation?.url ?? tableUrl(game.id);
    if (link !== this.#link) this.#load(link);
    return h("div", { className: "table-link", key: "link" },
      h("div", {},
        copyField("invitation", t("waiting-room.invite"), link),
        "share" in navigator && h("div", { className: "buttons" }, h("button", { type: "button", className: "main", id: "share", onclick: () => share(game, link) }, t("waiting-room.share")))),
      h("figure", { className: "code" }, this.#code ? h("img", { src: this.#code, alt: t("waiting-room.code", { name: game.ruleset.name }), width: 148, height: 148 }) : h("span", { className: "its-place" }),
        h("figcaption", { className: "soft small" }, t("waiting-room.code.what"))));
  }

  /** @param {string} link */
  async #load(link) {
    [this.#link, this.#code] = [link, ""];
    await attempt(async () => {
      const drawn = new TextDecoder().decode(await getBytes(`${this.path}/invitation.svg`));
      if (link === this.#link) this.#code = `data:image/svg+xml,${encodeURIComponent(drawn)}`;
    });
    this.redraw();
  }
}

/** @param {Game} game @param {string} url */
async function share({ ruleset: { name } }, url) {
  await navigator.share({ title: t("waiting-room.share.title", { name }), url }).catch(() => {}); // the user may think better of it
}
