// @ts-check
/**
 * The line on top: what is asked of the reader, or who is waited for, and until when.
 *
 * @typedef {import("./api.js").Game} Game
 */

import { h } from "./dom.js";
import { dueOf, first } from "./due.js";
import { seatName } from "./seats.js";
import { moment } from "./time.js";
import { t } from "./words.js";

/** What changes by itself, the hint how long it is until then, is not read out each time. @param {Game} game */
export function asked(game) {
  const said = (/** @type {import("./dom.js").Child[]} */ ...words) => h("span", { role: "status", key: "asked" }, words);
  if (game.status === "open") return said(t(game.seats.length < game.players ? "turn.open" : "turn.full"));
  if (game.result) return said(t("turn.over"));
  const mine = game.waiting.find(({ seat }) => seat === game.seat);
  if (game.legal.length) return [said(h("b", {}, t("turn.yours")), " ", game.view?.prompt_words), " ", stands(game) ?? dueOf(mine)];
  const names = game.waiting.map(({ seat }) => seatName(game, seat)).join(t("comma"));
  return [said(t("turn.waiting", { names })), " ", stands(game) ?? earliest(game)];
}

/** While the table pauses no time is due. @param {Game} game */
function stands({ paused }) {
  if (!paused) return null;
  return h("span", { className: "due" }, paused.until ? t("due.paused.until", { time: moment(paused.until) }) : t("due.paused"));
}

/** Who has the least time; each seat shows its own. @param {Game} game */
function earliest(game) {
  const wait = first(game);
  if (!wait) return null;
  const several = game.waiting.some(({ due }) => due && due !== wait.due);
  return several ? [h("span", { className: "due" }, t("due.first", { name: seatName(game, wait.seat) })), " ", dueOf(wait)] : dueOf(wait);
}

/** Whether a draft for the one question is none for the other. @param {Game | null} was @param {Game} game */
export function isAskedAnew(was, game) {
  return game.asked !== was?.asked || JSON.stringify(game.legal) !== JSON.stringify(was?.legal);
}
