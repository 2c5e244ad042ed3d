// @ts-check
/**
 * The status line: what the user has to do, or who is waited for, and until when.
 *
 * @typedef {import("../../base/api.js").Game} Game
 */

import { h } from "../../base/dom.js";
import { seatName } from "../../base/game.js";
import { formatDueTime } from "../../base/time_format.js";
import { called, t } from "../../base/words.js";
import { drawDue, firstDue } from "../../time/deadlines.js";

/** Whether the user is asked, and does not only have something to do while others are. @param {Game} game */
export function isAsked(game) {
  return game.legal.length > 0 && (game.waiting.length === 0 || game.waiting.some(({ seat }) => seat === game.seat));
}

/** The wait whose due time this line shows: the user's, or else the first that ends. @param {Game} game */
export function shownWait(game) {
  return isAsked(game) ? game.waiting.find(({ seat }) => seat === game.seat) : firstDue(game);
}

/** Relative times are outside the live region, so that their changes are not announced. @param {Game} game */
export function drawStatusLine(game) {
  const said = (/** @type {import("../../base/dom.js").Child[]} */ ...words) => h("span", { role: "status", key: "status" }, words);
  if (game.status === "open") return said(t(game.seats.length < game.players ? "turn.open" : "turn.full"));
  if (game.result) return said(t("turn.over"));
  if (isAsked(game)) return [said(h("b", {}, t("turn.yours")), " ", game.view?.prompt_words), " ", drawPaused(game) ?? drawDue(shownWait(game))];
  const names = game.waiting.map(({ seat }) => called(seatName(game, seat))).join(t("comma"));
  return [said(t("turn.waiting", { names }), game.legal.length > 0 && [" ", t("turn.meanwhile")]), " ", drawPaused(game) ?? drawEarliest(game)];
}

/** While the table is paused nothing is due. @param {Game} game */
function drawPaused({ paused }) {
  if (!paused) return null;
  return h("span", { className: "due" }, paused.until ? t("due.paused.until", { time: formatDueTime(paused.until) }) : t("due.paused"));
}

/** The earliest due time of several; each seat shows its own. @param {Game} game */
function drawEarliest(game) {
  const wait = shownWait(game);
  if (!wait) return null;
  const several = game.waiting.some(({ due }) => due && due !== wait.due);
  return several ? [h("span", { className: "due" }, t("due.first", { name: seatName(game, wait.seat) })), " ", drawDue(wait)] : drawDue(wait);
}

/** Whether a draft no longer fits because the question has changed. @param {Game | null} was @param {Game} game */
export function isNewQuestion(was, game) {
  return game.asked !== was?.asked || JSON.stringify(game.legal) !== JSON.stringify(was?.legal);
}
