// @ts-check
/**
 * What the user leaves with the service to answer at a table: asked for when it is to be shown, and drawn by a module that is
 * loaded then.
 *
 * @typedef {import("../base/api.js").Game} Game
 */

import { get } from "../base/api.js";
import { openLate } from "../base/controls/late_part.js";
import { loadAllWords } from "../base/words.js";

/** Whether the user can leave orders there at all. @param {Game} game */
export function takesOrders({ status, seat, lesson, deal, live }) {
  return status === "running" && seat !== null && !lesson && !deal && !live;
}

/** Opens the dialog in which orders are left, changed and withdrawn. @param {string} path of the game in the API */
export function openOrders(path) {
  const orders = `${path}/orders`;
  return openLate(() => Promise.all([import("./standing_orders.js"), get(orders), loadAllWords()]), ([{ showOrders }, shown]) => showOrders(orders, shown));
}
