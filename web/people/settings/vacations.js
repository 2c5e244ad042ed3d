// @ts-check
/** Vacations: days on which none of the user's clocks run. */

import { get, post, request } from "../../base/api.js";
import { drawForm } from "../../base/controls/form.js";
import { singleChoice } from "../../base/controls/single_choice.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { formatDays } from "../../base/time_format.js";
import { t } from "../../base/words.js";

/** @typedef {{id: string, first: string, last: string, ends_at: string, answers: string}} Vacation */

/** What can answer for the user on a vacation. */
const ANSWERS = ["all", "orders", "nothing"];

/** @param {() => void} again redraws the page @returns {Promise<HTMLElement | null>} */
export async function vacationSection(again) {
  /** @type {{vacations: Vacation[], days_left: {year: number, days: number}[]} | undefined} */
  const found = await attempt(() => get("/api/me/vacations"));
  if (!found) return null;
  const coming = found.vacations.filter(({ ends_at: end }) => Date.parse(end) > Date.now());
  return h("section", { className: "sheet", id: "vacation" },
    h("h2", {}, t("vacation.title")),
    h("p", { className: "soft" }, t("vacation.why")),
    h("p", { className: "soft" }, found.days_left.map(({ year, days }) => t("vacation.left", { year, days })).join(" ")),
    h("ul", { className: "item-list" }, coming.map(each => drawVacation(each, again))),
    planForm(again));
}

/** @param {Vacation} vacation @param {() => void} again */
function drawVacation({ id, first, last, answers }, again) {
  const end = () => attempt(async () => {
    await request("DELETE", `/api/me/vacations/${id}`);
    again();
  });
  return h("li", {}, h("span", {}, formatDays(first, last), h("br"), h("small", { className: "soft" }, t(`vacation.answers.${answers}`))),
    h("button", { type: "button", onclick: end }, t("vacation.end")));
}

/** @param {() => void} again */
function planForm(again) {
  return drawForm("plan", {
    fields: [
      { name: "first", label: t("vacation.first"), type: "date", required: true },
      { name: "last", label: t("vacation.last"), type: "date", required: true }],
    buttons: [["", t("vacation.plan")]],
    async send({ first, last, answers }) {
      await post("/api/me/vacations", { first, last, answers: ANSWERS[Number(answers)] });
      again();
    },
  }, singleChoice("answers", t("vacation.answers"), ANSWERS.map(value => ({ value, title: t(`vacation.answers.${value}`) })), ANSWERS[0]));
}
