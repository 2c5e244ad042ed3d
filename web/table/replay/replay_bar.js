// @ts-check
/**
 * The bar above an earlier table: what happened, and the way to the events before and after.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("./replay.js").Replay} Replay
 * @typedef {import("./replay.js").Position} Position
 */

import { h } from "../../base/dom.js";
import { drawIcon } from "../../base/icons.js";
import { toDecision } from "../../base/routes.js";
import { colourCards, t } from "../../base/words.js";

/** @type {Record<string, string>} */
const ICONS = {
  first: "M6 5v14M18 5l-7 7l7 7",
  previous: "M15 5l-7 7l7 7",
  play: "M8 5v14l10-7z",
  pause: "M8 5v14M16 5v14",
  next: "M9 5l7 7l-7 7",
  last: "M18 5v14M6 5l7 7l-7 7",
};

/** @param {Replay} replay @param {Game} game @param {Position | null} position */
export function drawReplayBar(replay, game, position) {
  const at = replay.at ?? game.number;
  const last = game.number;
  return h("section", { className: "replay", key: "replay", "aria-label": t("replay") },
    h("div", { className: "replay-head" },
      h("p", {}, t("replay.at", { n: at, last })),
      game.status === "over" && mayBeAsked(game, position) && h("a", { className: "small", id: "as-puzzle", href: toDecision(game, at) }, t("puzzle.ask")),
      game.status === "over" && h("label", {}, h("input", { type: "checkbox", ".checked": replay.everything, onchange: (/** @type {Event} */ { target }) => replay.open(game, /** @type {HTMLInputElement} */ (target).checked) }), " ", t("replay.all")),
      h("button", { type: "button", className: "plain close", onclick: () => replay.close() }, t("replay.close"))),
    h("div", { className: "replay-told", "aria-live": "polite" }, position?.event.lines.map(({ words }) => h("p", {}, colourCards(words)))),
    h("div", { className: "replay-keys" },
      drawKey("first", at > 1, () => replay.show(game, 1)),
      drawKey("previous", at > 1, () => replay.show(game, at - 1)),
      h("input", { type: "range", min: 1, max: last, ".value": at, "aria-label": t("replay.slider"), "aria-valuetext": t("replay.at", { n: at, last }),
        oninput: (/** @type {Event} */ { target }) => replay.show(game, Number(/** @type {HTMLInputElement} */ (target).value)) }),
      replay.playing ? drawKey("pause", true, () => { replay.pause(); replay.redraw(); }) : drawKey("play", at < last, () => replay.play(game, at + 1)),
      drawKey("next", at < last, () => replay.show(game, at + 1)),
      drawKey("last", at < last, () => replay.show(game, last))));
}

/** Whether the event that led to this table is somebody's decision, and nobody can still play the same deal. @param {Game} game @param {Position | null} position */
function mayBeAsked({ lesson, deal }, position) {
  const event = position?.event;
  const isOver = !deal || deal < new Date().toISOString().slice(0, deal.length);
  return !lesson && isOver && event?.kind === "action" && event.undone === undefined;
}

/** @param {string} name @param {boolean} possible @param {() => void} act */
function drawKey(name, possible, act) {
  return h("button", { type: "button", className: `plain key-${name}`, key: name, "aria-label": t(`replay.${name}`), title: t(`replay.${name}`), "aria-disabled": !possible, onclick: () => possible && act() },
    drawIcon(ICONS[name]));
}
