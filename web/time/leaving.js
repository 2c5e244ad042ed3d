// @ts-check
/**
 * Resigning and leaving for good, in the panel about time.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("./resignation.js").ResignableGame} ResignableGame
 */

import { confirmDialog } from "../base/controls/confirm_dialog.js";
import { h } from "../base/dom.js";
import { t } from "../base/words.js";
import { ENDS_WITH_SEATS, askToResign, give } from "./resignation.js";

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
