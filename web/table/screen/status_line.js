// @ts-check
/**
 * The status line: what the user has to do, or who is waited for, and until when.
 *
 * @typedef {import("../../base/api.js").Game} Game
 */

import { h } from "../../base/dom.js";
import { isAsked, seatName } from "../../base/game.js";
import { called, t } from "../../base/words.js";
import { drawDue, firstDue, formatDueTime } from "../../time/deadlines.js";

/** The wait whose due time this line shows: the user's, or else the first that ends. @param {Game} game */
export function shownWait(game) {
  if (game.live?.clock_due) return { seat: -1, since: game.started_at ?? "", due: game.live.clock_due, nudge_from: null };
  return isAsked(game) ? game.waiting.find(({ seat }) => seat === game.seat) : firstDue(game);
}

/** Relative times are outside the live region, so that their changes are not announced. @param {Game} game */
export function drawStatusLine(game) {
  const said = (/** @type {import("../../base/dom.js").Child[]} */ ...words) => h("span", { role: "status", key: "status" }, words);
  if (game.status === "open") return said(t(game.seats.length < game.players ? "turn.open" : "turn.full"));
  if (game.result) return said(t("turn.over"));
  if (isAsked(game)) return [said(h("b", {}, t("turn.yours")), " ", game.view?.prompt_words), " ", drawPaused(game) ?? [drawDue(shownWait(game)), drawRest(game)]];
  const names = game.waiting.map(({ seat }) => called(seatName(game, seat))).join(t("comma"));
  return [said(t("turn.waiting", { names }), game.legal.length > 0 && [" ", t("turn.meanwhile")]), " ", drawPaused(game) ?? [drawEarliest(game), drawRest(game)]];
}

/** While the table is paused nothing is due. @param {Game} game */
function drawPaused({ paused }) {
  if (!paused) return null;
  return h("span", { className: "due" }, paused.until ? t("due.paused.until", { time: formatDueTime(paused.until) }) : t("due.paused"));
}

/** Until when no clock runs, while the table rests. @param {Game} game */
function drawRest({ rest }) {
  if (!rest || Date.now() < Date.parse(rest.begins_at)) return null;
  return [" ", h("span", { className: "due" }, t("due.rests", { time: formatDueTime(rest.ends_at) }))];
}

/** The earliest due time of several; each seat shows its own. @param {Game} game */
function drawEarliest(game) {
  const wait = shownWait(game);
  if (!wait) return null;
  const several = game.waiting.some(({ due }) => due && due !== wait.due);
  return several ? [h("span", { className: "due" }, t("due.first", { name: seatName(game, wait.seat) })), " ", drawDue(wait)] : drawDue(wait);
}
