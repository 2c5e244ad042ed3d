// @ts-check
/**
 * Filters for the tables of others.
 *
 * @typedef {{ruleset: string, pace: string, free: string, beside_blocked: string}} Filter  Values in the query; "" for any.
 */

import { h } from "../base/dom.js";
import { t } from "../base/words.js";

const PACES = ["none", "decision", "reserve"];
/** Numbers of free seats. */
const FREE = ["1", "2", "3"];

/** @type {Filter} */
export const NO_FILTER = { ruleset: "", pace: "", free: "", beside_blocked: "" };

/** @param {Filter} filter @param {{slug: string, name: string}[]} rulesets @param {(wish: Partial<Filter>) => void} changed */
export function drawFilters(filter, rulesets, changed) {
  return h("div", { className: "filters", key: "filters", role: "group", "aria-label": t("filter") },
    one("ruleset", rulesets.map(({ slug, name }) => [slug, name])),
    one("pace", PACES.map(kind => [kind, t(`filter.pace.${kind}`)])),
    one("free", FREE.map(n => [n, t("filter.free.at-least", { n })])));

  /** @param {keyof Filter} name @param {string[][]} choices */
  function one(name, choices) {
    const choose = (/** @type {any} */ event) => changed({ [name]: event.target.value });
    return h("div", {}, h("label", { for: `filter-${name}` }, t(`filter.${name}`)),
      h("select", { id: `filter-${name}`, ".value": filter[name], onchange: choose }, [["", t("filter.any")], ...choices].map(([value, words]) => h("option", { value }, words))));
  }
}

/** A filter as part of a query string. @param {Partial<Filter>} filter */
export function queryOf(filter) {
  return Object.entries(filter).filter(([, value]) => value).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join("");
}
