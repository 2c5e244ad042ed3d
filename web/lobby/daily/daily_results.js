// @ts-check
/** How everybody did on a day: a table with a bar for each number of points. */

import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";

/** A result in words. @param {"own" | "best" | "friend" | "day"} whose @param {{score: number | null, won: boolean | null}} result */
export function reached(whose, { score, won }) {
  return t(won ? `daily.${whose}.won` : `daily.${whose}`, { n: score ?? 0 });
}

/** @param {import("./daily_page.js").Results} results */
export function drawResults({ begun, finished, outcomes, best }) {
  const most = Math.max(1, ...outcomes.map(({ people }) => people));
  return h("section", { id: "results", key: "results" }, h("h2", {}, t("daily.results")),
    h("p", {}, t("daily.people", { begun, finished })),
    best && h("p", {}, reached("best", best)),
    outcomes.length > 0 && h("div", { className: "prose" }, h("table", {},
      h("caption", { className: "hidden" }, t("daily.results")),
      h("thead", {}, h("tr", {}, ["daily.points", "daily.people.head", "daily.bar"].map(each => h("th", { scope: "col" }, t(each))))),
      h("tbody", {}, outcomes.map(each => drawOutcome(each, most))))));
}

/** @param {import("./daily_page.js").Outcome} outcome @param {number} most people with one result */
function drawOutcome({ score, won, people, yours }, most) {
  return h("tr", { key: `${score} ${won}`, "aria-current": yours ? "true" : null },
    h("th", { scope: "row" }, score ?? "–", won && [" ", h("span", { className: "tag" }, t("daily.won"))], yours && [" ", h("b", {}, t("daily.you"))]),
    h("td", {}, people),
    h("td", {}, h("progress", { max: most, value: people, "aria-hidden": "true" })));
}
