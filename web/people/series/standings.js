// @ts-check
/**
 * The standings of a series, and who waits for its first round or as a substitute.
 *
 * @typedef {import("./series_page.js").Series} Series
 * @typedef {import("./series_page.js").Standing} Standing
 * @typedef {import("./series_page.js").Person} Person
 */

import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";

/** The columns after place and name: the number, and what it is called. @type {[keyof Standing, string][]} */
const COLUMNS = [["points", "series.points"], ["games", "circle.results.games"], ["won", "circle.results.won"], ["against", "series.against"], ["opposition", "series.opposition"], ["out", "series.out"]];

/** What is wider than a phone can be scrolled, by keyboard too. @param {Series} series */
export function drawStandings({ standings }) {
  const heads = ["series.place", "circle.results.name", ...COLUMNS.map(([, key]) => key)].map(key => h("th", { scope: "col" }, t(key)));
  return h("section", { className: "prose", key: "standings" },
    h("h2", { id: "standings" }, t("series.standings")),
    h("div", { className: "wide", tabindex: 0, role: "region", "aria-labelledby": "standings" }, h("table", {},
      h("caption", { className: "hidden" }, t("series.standings")),
      h("thead", {}, h("tr", {}, heads)),
      h("tbody", {}, standings.map(each => h("tr", { key: each.id, "aria-current": each.you ? "true" : null },
        h("td", {}, each.place),
        h("th", { scope: "row" }, drawName(each)),
        COLUMNS.map(([name]) => h("td", {}, String(each[name])))))))));
}

/** @param {Person} person */
function drawName({ name, you }) {
  return [name, you && h("span", { className: "tag" }, t("seat.you"))];
}

/** @param {Series} series */
export function drawWaiting({ status, waiting }) {
  return h("section", { className: "prose", key: "waiting" },
    h("h2", {}, t(status === "open" ? "series.joined" : "series.substitutes")),
    waiting.length > 0
      ? h("ul", {}, waiting.map(each => h("li", { key: each.id }, drawName(each))))
      : h("p", { className: "soft", key: "none" }, t("series.joined.none")));
}
