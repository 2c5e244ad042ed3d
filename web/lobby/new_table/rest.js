// @ts-check
/**
 * When a new table rests: at weekends, on other days of the week, outside of hours that are agreed on, in the time zone of whoever opens it.
 *
 * @typedef {{time_zone: string, days: number[], open: string | null}} Rest
 */

import { singleChoice } from "../../base/controls/single_choice.js";
import { h } from "../../base/dom.js";
import { language, t } from "../../base/words.js";

/** On which days, in the order of the choices; 1 is Monday. */
const DAYS = [[], [6, 7]];
const WEEK = [1, 2, 3, 4, 5, 6, 7];
const ENDS = ["from", "until"];

/** The name of the time zone of this browser. */
export function timeZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The fields, of which nothing need be filled in. */
export function drawRest() {
  return h("fieldset", { className: "rest", key: "rest" },
    h("legend", {}, t("rest")),
    h("p", { className: "soft small" }, t("rest.what", { zone: timeZone() })),
    singleChoice("rest", t("rest.days"), [{ value: 0, title: t("rest.never") }, { value: 1, title: t("rest.weekends") }], 0),
    h("details", { key: "rest-more" }, h("summary", {}, t("rest.more")),
      h("fieldset", {},
        h("legend", {}, t("rest.these")),
        h("div", { className: "choices" }, WEEK.map(day => h("label", { className: "choice", key: day },
          h("input", { type: "checkbox", name: "rest-day", value: day }), dayName(day))))),
      h("div", { className: "hours" }, ENDS.map(end => h("p", { className: "field", key: end },
        h("label", { for: `rest-${end}` }, t(`rest.${end}`)),
        h("input", { id: `rest-${end}`, name: `rest-${end}`, type: "time" }))))));
}

/** The name of a day of the week. @param {number} day 1 is Monday */
export function dayName(day) {
  const thatDay = Date.UTC(2024, 0, day); // the first of them was a Monday
  return new Intl.DateTimeFormat(language(), { weekday: "long", timeZone: "UTC" }).format(thatDay);
}

/** The rest in the body of POST /api/games. @param {FormData} answers @returns {Rest | null} */
export function restBody(answers) {
  const ticked = answers.getAll("rest-day").map(Number);
  const days = WEEK.filter(day => ticked.includes(day) || DAYS[Number(answers.get("rest"))].includes(day));
  const [from, until] = ENDS.map(end => String(answers.get(`rest-${end}`) ?? ""));
  const open = from || until ? `${from}-${until}` : null;
  return open || days.length ? { time_zone: timeZone(), days, open } : null;
}
