// @ts-check
/**
 * How a game ended, how each score came about, and what one may do now.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./seats.js").Scene} Scene
 */

import { h } from "./dom.js";
import { brief, common, ofSeat, sentences } from "./facts.js";
import { toFinished } from "./finished.js";
import { playAgain } from "./opening.js";
import { prose, t } from "./words.js";

/** @param {Scene} scene */
export function drawResult({ game, view, places }) {
  const { result } = game;
  if (!result) return null;
  return h("section", { className: "result sheet", key: "result", "aria-label": t("result") },
    h("p", { className: "sentence" }, prose(result.words)),
    h("ol", { className: "scores" }, game.seats.map(({ seat, name, you, house, tenure }) =>
      h("li", { className: result.winners.includes(seat ?? -1) ? "won" : "" },
        h("p", {},
          h("span", {}, name, you && h("span", { className: "tag" }, t("seat.you"))),
          game.seat !== null && !you && !house && h("a", { className: "small", href: toFinished("", tenure) }, t("finished.together")),
          result.winners.includes(seat ?? -1) && h("span", { className: "tag" }, t("result.won")),
          h("span", { className: "score" }, result.score_words[seat ?? -1])),
        seat !== null && brief(ofSeat(view, places, seat))))),
    sentences(common(view, places)),
    h("div", { className: "buttons" },
      game.seat !== null && h("button", { type: "button", className: "main", id: "rematch", onclick: () => playAgain(game.id) }, t("result.again")),
      h("a", { className: game.seat === null ? "button main" : "button", href: `#/new/${game.ruleset.slug}` }, t("lobby.new")),
      h("a", { className: "button", href: "#/" }, t("to.lobby")),
      h("a", { className: "button", href: `/api/games/${game.id}/record`, download: `${game.id}.json` }, t("result.record"))));
}
