// @ts-check
/** The days so far, with the user's tries: those that were left out are only days that can still be looked at. */

import { get } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { h, update } from "../../base/dom.js";
import { DAILY } from "../../base/routes.js";
import { formatDays } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { reached } from "./daily_results.js";

/** @typedef {import("./daily_page.js").Entry} Entry */

/** How many days are listed at a time. */
const DAYS = 14;

/** @param {string} shown  the day that is shown */
export function drawCalendar(shown) {
  const place = h("div", {});
  const details = /** @type {HTMLDetailsElement} */ (h("details", { id: "calendar", key: "calendar", ontoggle: () => details.open && !place.hasChildNodes() && more([], "") }, h("summary", {}, t("daily.calendar")), place));
  return details;

  /** @param {Entry[]} known @param {string} cursor */
  async function more(known, cursor) {
    const page = await attempt(() => get(`/api/daily-deals?limit=${DAYS}${cursor && `&cursor=${cursor}`}`));
    if (!page) return;
    const days = [...known, ...page.days];
    update(place,
      h("ul", { className: "tables" }, days.map(each => drawDay(each, shown))),
      page.next && h("div", { className: "buttons" }, h("button", { type: "button", onclick: () => more(days, page.next) }, t("history.earlier"))));
  }
}

/** @param {Entry} entry @param {string} shown */
function drawDay({ day, name, try: own }, shown) {
  return h("li", { key: day },
    h("a", { href: `${DAILY}/${day}`, "aria-current": day === shown ? "page" : null },
      h("strong", {}, formatDays(day, day)),
      h("span", { className: "names" }, name, own?.ended_at && [t("comma"), reached("day", { score: own.score, won: own.won === true })])));
}
