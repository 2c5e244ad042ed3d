// @ts-check
/**
 * Resigning, and taking the seat back.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("../base/game.js").GameOnScreen & {panel: {close: () => void}}} ResignableGame
 */

import { post } from "../base/api.js";
import { confirmDialog } from "../base/controls/confirm_dialog.js";
import { h } from "../base/dom.js";
import { t } from "../base/words.js";

/** With this many seats, resigning ends the game. */
export const ENDS_WITH_SEATS = 2;

/** Resigns if the user confirms it. @param {ResignableGame} table @param {Game} game */
export async function askToResign(table, { seats }) {
  if (await confirmDialog(t("resign.title"), t(seats.length === ENDS_WITH_SEATS ? "resign.two" : "resign.more"), t("resign.do"))) await give(table, false);
}

/** @param {ResignableGame} table @param {boolean} forGood */
export async function give(table, forGood) {
  table.panel.close();
  await table.change(() => post(`${table.path}/resignation`, { for_good: forGood }));
}

/** Offers the seat back to somebody who gave it up and is replaced by a house player. @param {ResignableGame} table @param {Game} game */
export function drawTakeBack(table, game) {
  if (!game.held?.back || game.status !== "running") return null;
  return h("section", { className: "proposal", key: "back" },
    h("p", {}, t("seat.held")),
    h("div", { className: "buttons" }, h("button", { type: "button", id: "take-back", className: "main", onclick: () => table.change(() => post(`${table.path}/return`)) }, t("seat.back"))));
}
