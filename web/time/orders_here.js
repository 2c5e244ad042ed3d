// @ts-check
/**
 * What the user leaves with the service to answer at a table: asked for when it is to be shown, and drawn by a module that is
 * loaded then.
 *
 * @typedef {import("../base/api.js").Game} Game
 */

import { loadModule } from "../base/api.js";
import { attempt } from "../base/controls/toasts.js";

/** Whether the user can leave orders there at all. @param {Game} game */
export function takesOrders({ status, seat, lesson, deal, live }) {
  return status === "running" && seat !== null && !lesson && !deal && !live;
}

/** Opens the dialog in which orders are left, changed and withdrawn. @param {string} path of the game in the API */
export function openOrders(path) {
  return attempt(async () => (await loadModule(import("./standing_orders.js"))).showOrders(`${path}/orders`));
}
