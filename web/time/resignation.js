// @ts-check
/**
 * Resigning, leaving for good, and taking the seat back.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("../base/game.js").GameOnScreen & {panel: {close: () => void}}} ResignableGame
 */

import { post } from "../base/api.js";
import { confirmDialog } from "../base/controls/confirm_dialog.js";
import { h } from "../base/dom.js";
import { t } from "../base/words.js";

/** With this many seats, resigning ends the game. */
const ENDS_WITH_SEATS = 2;

/** @param {ResignableGame} table @param {Game} game */
export function drawResign(table, game) {
  const alone = game.seats.length === ENDS_WITH_SEATS;
  const leave = async () => {
    if (await confirmDialog(t("resign.good"), t("resign.good.what"), t("resign.good"))) await give(table, true);
  };
  return h("section", { key: "leaving" },
    h("h2", {}, t("resign.leaving")),
    h("p", { className: "soft small" }, t(alone ? "resign.two" : "resign.more")),
    h("div", { className: "buttons" }, h("button", { type: "button", id: "resign", onclick: () => askToResign(table, game) }, t("resign.do"))),
    !alone && [
      h("p", { className: "soft small" }, t("resign.good.what")),
      h("div", { className: "buttons" }, h("button", { type: "button", id: "leave-for-good", onclick: leave }, t("resign.good")))]);
}

/** Resigns if the user confirms it. @param {ResignableGame} table @param {Game} game */
export async function askToResign(table, { seats }) {
  if (await confirmDialog(t("resign.title"), t(seats.length === ENDS_WITH_SEATS ? "resign.two" : "resign.more"), t("resign.do"))) await give(table, false);
}

/** @param {ResignableGame} table @param {boolean} forGood */
async function give(table, forGood) {
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
