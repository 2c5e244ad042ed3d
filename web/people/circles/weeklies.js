// @ts-check
/**
 * The tables that open in a circle each week.
 *
 * @typedef {{id: string, weekday: number, time: string, time_zone: string, name: string, yours: boolean, next_at: string}} Weekly
 */

import { request } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";

/** @param {string} path of the circle @param {Weekly[]} weeklies @param {boolean} host whether the user may remove all of them @param {() => void} again loads the circle anew */
export function drawWeeklies(path, weeklies, host, again) {
  const remove = (/** @type {string} */ id) => attempt(() => request("DELETE", `${path}/weeklies/${id}`)).then(again);
  return h("section", { key: "weeklies" },
    h("h3", {}, t("weekly.list")),
    h("ul", { className: "item-list" }, weeklies.map(({ id, name, next_at, time, time_zone, yours }) => h("li", { key: id },
      h("span", {}, t("weekly.next", { name, next: formatTime(next_at), at: time, zone: time_zone })),
      (host || yours) && h("button", { type: "button", "aria-label": t("weekly.remove.which", { name }), onclick: () => remove(id) }, t("weekly.remove"))))));
}
