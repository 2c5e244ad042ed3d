// @ts-check
/**
 * What whoever is invited sees first: by whom and to what, a picture, the aim, the length, the pace, and one button.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").Ruleset} Ruleset
 */

import { get } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";
import { drawStamp } from "../../cards/stamp.js";
import { paceName } from "../../time/paces.js";
import { lengthText, matchingLength } from "../new_table/lengths.js";

export class Invited {
  /** Loaded once somebody who does not sit here looks at a table before the start. @type {Ruleset | null} */
  #ruleset = null;
  /** @type {Promise<void> | null} */
  #loading = null;

  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
  }

  /** @param {Game} game @param {() => void} sit */
  draw(game, sit) {
    this.load(game);
    const ruleset = this.#ruleset;
    const host = game.seats.find(({ tenure }) => tenure === game.host) ?? game.seats[0];
    return h("div", { className: "invited", key: "invited" },
      h("div", { className: "room-head" }, drawStamp(game.ruleset.slug), h("h2", {}, host ? t("invited.title", { name: host.name, game: game.ruleset.name }) : game.ruleset.name)),
      ruleset && h("p", {}, ruleset.summary),
      h("ul", { className: "facts" }, [
        ruleset && lengthOf(game, ruleset), t("invited.players", { n: game.players }), game.pace.kind !== "none" && paceName(game.pace), game.rated && t("rated"),
      ].filter(Boolean).map(each => h("li", {}, each))),
      h("div", { className: "buttons" }, h("button", { type: "button", className: "main", onclick: sit }, t("waiting-room.sit"))));
  }

  /** Learns what the game is: before anything is drawn, or the button would move. @param {Game} game */
  load({ ruleset: { slug, version } }) {
    return (this.#loading ??= attempt(async () => {
      this.#ruleset = await get(`/api/rulesets/${slug}?version=${version}`);
      this.redraw();
    }));
  }
}

/** How long the game is, if that is one of its usual lengths. @param {Game} game @param {Ruleset} ruleset */
function lengthOf({ players, options }, { options: known, lengths }) {
  const usual = lengths[players] ?? [];
  const length = usual[matchingLength(known[players]?.properties ?? {}, usual, options)];
  return length && lengthText(length);
}
