// @ts-check
/** Opening a table in a circle each week: the day and the time, in the time zone of this browser. */

import { post } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { goTo, toCircle } from "../../base/routes.js";
import { t } from "../../base/words.js";
import { dayName, timeZone } from "./rest.js";

/** When people meet, unless they say otherwise. */
const USUAL = "20:00";

/** The choice of a day and a time; without a day, the table opens now and once. */
export function drawWeekly() {
  const days = [1, 2, 3, 4, 5, 6, 7].map(n => h("option", { value: n }, dayName(n)));
  return h("details", { className: "more", key: "weekly" },
    h("summary", {}, t("weekly.title")),
    h("p", { className: "soft" }, t("weekly.what")),
    h("label", { for: "weekday" }, t("weekly.day")),
    h("select", { id: "weekday", name: "weekday", "data-own": true }, h("option", { value: "" }, t("weekly.once")), days),
    h("label", { for: "weekly-at" }, t("weekly.at")),
    h("input", { id: "weekly-at", name: "weekly-at", type: "time", value: USUAL, required: true }));
}

/** The day and the time that were chosen; null for a table that opens now. @param {FormData} answers */
export function weeklyBody(answers) {
  const weekday = Number(answers.get("weekday"));
  return weekday ? { weekday, time: String(answers.get("weekly-at")), time_zone: timeZone() } : null;
}

/** Lets a table open each week, and shows the circle. @param {string} circle @param {Record<string, any>} weekly @param {Record<string, any>} table */
export async function openWeekly(circle, weekly, table) {
  await attempt(async () => {
    await post(`/api/circles/${circle}/weeklies`, { ...weekly, table });
    goTo(toCircle(circle));
  });
}
