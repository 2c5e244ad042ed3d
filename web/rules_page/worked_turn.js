// @ts-check
/**
 * The worked turn of the rules, played on the table: one table a step, with the sentence of what led to it. How a table is
 * drawn lies above this.
 *
 * @typedef {{done: string | null, lines: string[], view: import("../base/api.js").View}} Step
 * @typedef {{ruleset: import("../base/api.js").RulesetOfGame, names: string[], layout: import("../base/api.js").Area[], steps: Step[]}} Example  RulesetExample of openapi.yaml.
 * @typedef {(table: any, before?: import("../base/api.js").View | null) => HTMLElement} DrawTable  With the table before, what is new is marked.
 */

import { get } from "../base/api.js";
import { h, update } from "../base/dom.js";
import { colourCards, t } from "../base/words.js";

/** Shows it where it belongs in the text, as soon as it has come. @param {HTMLElement} place @param {string} slug @param {string | null} version @param {DrawTable} drawTable */
export async function showWorkedTurn(place, slug, version, drawTable) {
  /** @type {Example} */
  const example = await get(`/api/rulesets/${slug}/example${version === null ? "" : `?version=${version}`}`);
  const at = Number(new URLSearchParams(location.search).get("step")) || 0;
  if (place.isConnected) show(place, example, example.steps[at] ? at : 0, drawTable);
}

/** The address says the step, so that it is the same in another language, and for whoever gets the link. @param {string} slug @param {number} at */
function nameStep(slug, at) {
  const address = new URL(location.href);
  address.pathname = `/rules/${slug}/example`;
  address.searchParams.set("step", String(at));
  history.replaceState(null, "", address);
}

/** @param {HTMLElement} place @param {Example} example @param {number} at the step @param {DrawTable} drawTable */
function show(place, example, at, drawTable) {
  const goTo = (/** @type {number} */ to) => {
    nameStep(example.ruleset.slug, to);
    show(place, example, to, drawTable);
  };
  const { ruleset, names, layout, steps } = example;
  const { done, lines, view } = steps[at];
  const [last, before] = [steps.length - 1, steps[at - 1]?.view ?? null];
  const told = [...(done ? [done] : []), ...lines];
  const drawKey = (/** @type {string} */ name, /** @type {number} */ to) =>
    h("button", { type: "button", key: name, className: name === "next" ? "main" : "", "data-step": name, "aria-disabled": to < 0 || to > last, onclick: () => to >= 0 && to <= last && goTo(to) }, t(`example.${name}`));
  update(place,
    h("div", { className: "worked-keys", key: "keys" }, drawKey("back", at - 1), h("span", {}, t("example.step", { number: at + 1, last: steps.length })), drawKey("next", at + 1)),
    h("div", { className: "worked-told", key: "told", "aria-live": "polite" }, (told.length ? told : [view.prompt_words]).map((line, n) => h("p", { className: n || !done ? "" : "done" }, colourCards(line)))),
    h("div", { className: "worked-table", key: `table ${at}` }, drawTable({ ruleset, names, layout, view }, before)));
}
