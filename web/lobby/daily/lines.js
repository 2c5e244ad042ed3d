// @ts-check
/** The best line of the strongest house player beside the user's own, decision by decision. It is loaded when it is opened. */

import { get } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { h, update } from "../../base/dom.js";
import { colourCards, t } from "../../base/words.js";

/** @typedef {{own: string | null, best: string | null, same: boolean}} Step */

/** @param {string} path of the day's deal in the API */
export function drawLines(path) {
  const place = h("div", { className: "prose" });
  const details = /** @type {HTMLDetailsElement} */ (h("details", { id: "lines", key: "lines", ontoggle: () => open() }, h("summary", {}, t("daily.lines")), h("p", { className: "small" }, t("daily.lines.what")), place));
  return details;

  async function open() {
    if (!details.open || place.hasChildNodes()) return;
    const found = await attempt(() => get(`${path}/lines`));
    if (found) update(place, drawSteps(found.steps));
  }
}

/** @param {Step[]} steps */
function drawSteps(steps) {
  return h("table", {},
    h("caption", { className: "hidden" }, t("daily.lines")),
    h("thead", {}, h("tr", {}, ["daily.step", "daily.lines.own", "daily.lines.best"].map(each => h("th", { scope: "col" }, t(each))))),
    h("tbody", {}, steps.map(({ own, best, same }, n) => h("tr", { key: String(n) },
      h("th", { scope: "row" }, n + 1),
      h("td", {}, own && colourCards(own)),
      h("td", {}, same ? t("daily.lines.same") : best && colourCards(best))))));
}
