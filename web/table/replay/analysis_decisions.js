// @ts-check
/**
 * Decisions in words: one with its alternatives, and tables of the turning points and of all.
 *
 * @typedef {import("./analysis.js").Decision} Decision
 * @typedef {import("./analysis.js").Choice} Choice
 */

import { h } from "../../base/dom.js";
import { toDecision } from "../../base/routes.js";
import { colourCards, t } from "../../base/words.js";

/** A value is certain within so many of its standard errors. */
const SURE = 2;

/** @param {Decision} decision @param {number} at its place in the game @param {number} of @param {(number: number) => void} lookBack @param {import("../../base/api.js").Game} game */
export function drawDecision(decision, at, of, lookBack, game) {
  const { number, choices } = decision;
  const [house, played] = [choices[0], playedIn(decision)];
  return h("section", { className: "decision", key: "decision", "aria-labelledby": "analysis-decision" },
    h("h3", { id: "analysis-decision" }, t("analysis.decision", { n: at + 1, of })),
    h("p", { "aria-live": "polite" }, house === played ? t("analysis.same") : costInWords(decision)),
    h("ol", { className: "choices" }, choices.map((choice, n) => h("li", { key: String(n), className: choice.played ? "played" : "" },
      h("span", {}, colourCards(choice.words), " ", choice.played && h("span", { className: "tag" }, t("analysis.played")), " ", choice === house && h("span", { className: "tag" }, t("analysis.house"))),
      h("span", { className: "value" }, t("analysis.worth", { value: percent(choice.value), margin: percent(SURE * choice.error) }))))),
    h("div", { className: "buttons", key: "ways" },
      h("button", { type: "button", id: "analysis-table", onclick: () => lookBack(number - 1) }, t("analysis.table")),
      h("a", { className: "button", id: "analysis-puzzle", href: toDecision(game, number) }, t("puzzle.make"))));
}

/** @param {Decision[]} decisions @param {number[]} turningPoints @param {(at: number) => void} goTo */
export function drawDecisions(decisions, turningPoints, goTo) {
  const places = turningPoints.map(number => decisions.findIndex(each => each.number === number));
  return [
    h("section", { className: "decisions", key: "turning" }, h("h3", {}, t("analysis.turning")),
      places.length ? drawTable(decisions, places, t("analysis.turning"), goTo) : h("p", {}, t("analysis.turning.none"))),
    h("details", { className: "decisions", key: "all" }, h("summary", {}, t("analysis.all")),
      drawTable(decisions, decisions.map((_, n) => n), t("analysis.all"), goTo))];
}

/** @param {Decision[]} decisions @param {number[]} places @param {string} caption @param {(at: number) => void} goTo */
function drawTable(decisions, places, caption, goTo) {
  const heads = ["number", "played", "house", "cost.head"].map(each => h("th", { scope: "col" }, t(`analysis.${each}`)));
  return h("div", { className: "wide", tabindex: 0, role: "group", "aria-label": caption }, h("table", {},
    h("thead", {}, h("tr", {}, heads)),
    h("tbody", {}, places.map(n => drawRow(decisions[n], n, goTo)))));
}

/** @param {Decision} decision @param {number} n its place @param {(at: number) => void} goTo */
function drawRow(decision, n, goTo) {
  return h("tr", { key: String(n) },
    h("th", { scope: "row" }, h("button", { type: "button", className: "plain", "aria-label": t("analysis.go", { n: n + 1 }), onclick: () => goTo(n) }, n + 1)),
    h("td", {}, colourCards(playedIn(decision).words)),
    h("td", {}, colourCards(decision.choices[0].words)),
    h("td", { className: "value" }, t("analysis.points", { cost: percent(decision.cost), margin: percent(SURE * decision.error) })));
}

/** @param {Decision} decision */
function costInWords({ cost, error }) {
  const key = cost > SURE * error ? "analysis.cost" : "analysis.unsure";
  return t(key, { cost: percent(cost), margin: percent(SURE * error) });
}

/** @param {Decision} decision @returns {Choice} */
function playedIn({ choices }) {
  return choices.find(({ played }) => played) ?? choices[0];
}

/** @param {number} part from 0 to 1 */
function percent(part) {
  return Math.round(100 * part);
}
