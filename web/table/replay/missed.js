// @ts-check
/**
 * What others did since the user's last turn: a strip of sentences above the table, which ▶ plays on it. Where the table
 * leaves no room for the strip, the same stands in the drawer of the history, whose button counts it.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").GameEvent} Event
 * @typedef {{missed: (game: Game) => Event[]}} History
 * @typedef {{history: History, replay: import("./replay.js").Replay, action: {steps: {count: number}, begunAfter: number}, panel: {close: () => void}}} Table
 */

import { h } from "../../base/dom.js";
import { drawIcon } from "../../base/icons.js";
import { colourCards, t } from "../../base/words.js";
import { toldOf } from "./sections.js";

/** Events of the strip. */
const MOST = 20;
const PLAY = "M8 5v14l10-7z";

/** What a player missed, as the history tells it; those who watch miss nothing. @param {Game} game @param {History} history */
export function missedBy(game, history) {
  return game.seat === null || game.status !== "running" ? [] : toldOf(history.missed(game), game.view?.committed ?? []);
}

/** What happens while the user chooses is added afterwards. @param {Game} game @param {Table} table */
export function drawMissed(game, { history, replay, action }) {
  const missed = missedBy(game, history).filter(({ event: { number } }) => action.steps.count === 0 || number <= action.begunAfter).slice(-MOST);
  if (!missed.length) return null;
  return h("section", { className: "missed", key: "missed", "aria-label": t("missed") },
    h("button", { type: "button", "aria-label": t("missed.play"), title: t("missed.play"), onclick: () => replay.play(game, missed[0].event.number) }, drawIcon(PLAY)),
    h("ol", {}, missed.map(({ event: { number }, lines }) => h("li", { key: String(number) },
      h("button", { type: "button", onclick: () => replay.show(game, number) },
        h("span", {}, lines.flatMap(({ words }) => [colourCards(words), " "])))))));
}

/** The button of the history's drawer. @param {Game} game @param {Table} table */
export function drawPlayMissed(game, table) {
  const [first] = missedBy(game, table.history).slice(-MOST);
  const play = () => {
    table.panel.close();
    table.replay.play(game, first.event.number);
  };
  return first && h("button", { type: "button", className: "play-missed", key: "play-missed", onclick: play }, drawIcon(PLAY), t("missed"));
}
