// @ts-check
/** Days on which none of my clocks runs. */

import { ask, get, post } from "./api.js";
import { h } from "./dom.js";
import { formOf } from "./fields.js";
import { attempt } from "./notice.js";
import { days } from "./time.js";
import { t } from "./words.js";

/** @typedef {{id: string, first: string, last: string, ends_at: string}} Vacation */

/** @param {() => void} again shows it anew @returns {Promise<HTMLElement | null>} */
export async function vacationSection(again) {
  /** @type {{vacations: Vacation[], days_left: {year: number, days: number}[]} | undefined} */
  const found = await attempt(() => get("/api/me/vacations"));
  if (!found) return null;
  const coming = found.vacations.filter(({ ends_at: end }) => Date.parse(end) > Date.now());
  return h("section", { className: "sheet", id: "vacation" },
    h("h2", {}, t("vacation.title")),
    h("p", { className: "soft" }, t("vacation.why")),
    h("p", { className: "soft" }, found.days_left.map(({ year, days }) => t("vacation.left", { year, days })).join(" ")),
    h("ul", { className: "tokens" }, coming.map(each => planned(each, again))),
    plan(again));
}

/** @param {Vacation} vacation @param {() => void} again */
function planned({ id, first, last }, again) {
  const end = () => attempt(async () => {
    await ask("DELETE", `/api/me/vacations/${id}`);
    again();
  });
  return h("li", {}, h("span", {}, days(first, last)),
    h("button", { type: "button", onclick: end }, t("vacation.end")));
}

/** @param {() => void} again */
function plan(again) {
  return formOf("plan", {
    fields: [
      { name: "first", label: t("vacation.first"), type: "date", required: true },
      { name: "last", label: t("vacation.last"), type: "date", required: true }],
    buttons: [["", t("vacation.plan")]],
    async send({ first, last }) {
      await post("/api/me/vacations", { first, last });
      again();
    },
  });
}
