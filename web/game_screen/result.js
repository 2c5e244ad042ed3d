// @ts-check
/**
 * The result: who won, how each score came about, and what to do next.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("./seats.js").ScreenState} ScreenState
 */

import { post, Problem } from "../base/api.js";
import { h } from "../base/dom.js";
import { bringNonce, postWithNonce } from "../base/nonces.js";
import { goTo, toFinished, toTable } from "../base/routes.js";
import { colourCards, t } from "../base/words.js";
import { attempt } from "../controls/toasts.js";
import { drawProgramTag } from "../talk/person_menu.js";
import { SeenGame } from "../verify/seen_game.js";
import { commonFacts, drawFactSentences, drawShortFacts, factsOfSeat } from "./facts.js";

/**
 * @param {ScreenState} screen @param {Node | null} verification  whether the record fits
 * @param {import("../replay/replay.js").Replay | null} [replay]  of the game, unless this is a part of it
 */
export function drawResult({ game, view, places }, verification, replay = null) {
  const { result } = game;
  if (!result) return null;
  return h("section", { className: "result sheet", key: "result", "aria-label": t("result") },
    h("p", { className: "sentence" }, colourCards(result.words)),
    h("ol", { className: "scores" }, game.seats.map(({ seat, name, you, house, program, tenure }) =>
      h("li", { className: result.winners.includes(seat ?? -1) ? "won" : "" },
        h("p", {},
          h("span", {}, name, drawProgramTag({ program }), you && h("span", { className: "tag" }, t("seat.you"))),
          game.seat !== null && !you && !house && h("a", { className: "small", href: toFinished("", tenure) }, t("finished.together")),
          result.winners.includes(seat ?? -1) && h("span", { className: "tag" }, t("result.won")),
          h("span", { className: "score" }, result.score_words[seat ?? -1])),
        seat !== null && drawShortFacts(factsOfSeat(view, places, seat))))),
    drawFactSentences(commonFacts(view, places)),
    h("div", { className: "buttons" },
      game.seat !== null && h("button", { type: "button", className: "main", id: "rematch", onclick: () => openRematch(game.id) }, t("result.again")),
      replay && h("button", { type: "button", id: "replay", onclick: () => replay.show(game, 1) }, t("replay.start")),
      h("a", { className: game.seat === null ? "button main" : "button", href: `/new/${game.ruleset.slug}` }, t("lobby.new")),
      h("a", { className: "button", href: "/" }, t("to.lobby")),
      h("a", { className: "button", href: `/api/games/${game.id}/record`, download: `${game.id}.json` }, t("result.record"))),
    verification);
}

/** Opens a table for the same people, or joins it if one of them already has. @param {string} id of the finished game */
async function openRematch(id) {
  await attempt(async () => {
    const game = await joinOrOpen(`/api/games/${id}/rematch`);
    goTo(toTable(game.id));
  });
}

/** @param {string} path of the rematch */
async function joinOrOpen(path) {
  try {
    return await postWithNonce(path);
  } catch (problem) {
    if (!(problem instanceof Problem && problem.slug === "no-commitment")) throw problem;
  }
  const game = await post(path);
  new SeenGame(game.id).saw(game); // before the nonce is brought
  await attempt(() => bringNonce(game));
  return game;
}
