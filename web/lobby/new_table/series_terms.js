// @ts-check
/** Setting up a series in a circle: its name, when it begins, how long its rounds are and how many, and whether it repeats. */

import { post } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { goTo, toSeries } from "../../base/routes.js";
import { t } from "../../base/words.js";

/** The numbers: the least, the most and the usual one; null for none. @type {{name: string, label: string, hint?: string, least: number, most: number, usual: number | null}[]} */
const NUMBERS = [
  { name: "starts_in", label: "series.starts-in", least: 1, most: 90, usual: 7 },
  { name: "round_days", label: "series.round-days", least: 1, most: 60, usual: 14 },
  { name: "rounds", label: "series.wished", hint: "series.wished.what", least: 1, most: 24, usual: null },
];

/** The fields. */
export function drawSeriesTerms() {
  return h("div", { className: "field", key: "series" },
    drawField("name", t("series.name"), "", { required: true, maxlength: 40, autocomplete: "off" }),
    NUMBERS.map(({ name, label, hint, least, most, usual }) =>
      drawField(name, t(label), hint ? t(hint) : "", { type: "number", inputmode: "numeric", min: least, max: most, step: 1, value: usual, required: usual !== null })),
    h("label", { className: "choice" }, h("input", { type: "checkbox", name: "repeats", value: "yes" }), t("series.again")),
    h("p", { className: "soft small" }, t("series.repeats")));
}

/** @param {string} name @param {string} label @param {string} hint @param {Record<string, any>} more */
function drawField(name, label, hint, more) {
  const id = `series-${name}`;
  const described = [hint && `${id}-hint`, `${id}-wrong`].filter(Boolean).join(" ");
  return [
    h("label", { for: id }, label),
    hint && h("p", { className: "soft small", id: `${id}-hint` }, hint),
    h("input", { id, name, "aria-describedby": described, ...more }),
    h("p", { className: "wrong small", id: `${id}-wrong`, role: "alert", "data-own": true })];
}

/** The first field whose value is not possible; beside each stands what is wrong. @returns {HTMLInputElement | undefined} */
export function firstWrongTerm() {
  const inputs = ["name", ...NUMBERS.map(({ name }) => name)].map(name => /** @type {HTMLInputElement} */ (document.getElementById(`series-${name}`)));
  for (const input of inputs) {
    /** @type {HTMLElement} */ (document.getElementById(`${input.id}-wrong`)).textContent = errorOf(input);
    if (input.validity.valid) input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
  }
  return inputs.find(input => !input.validity.valid);
}

/** @param {HTMLInputElement} input */
function errorOf({ validity, min, max }) {
  if (validity.valid) return "";
  return validity.valueMissing || validity.badInput ? t("field.missing") : t("series.between", { least: min, most: max });
}

/** The terms in the body of POST /api/circles/{id}/series. @param {FormData} answers */
export function seriesBody(answers) {
  const number = (/** @type {string} */ name) => (answers.get(name) ? Number(answers.get(name)) : null);
  return { name: String(answers.get("name")).trim(), starts_in: number("starts_in"), round_days: number("round_days"), rounds: number("rounds"), repeats: answers.has("repeats") };
}

/** Sets up a series, and shows it. @param {string} circle @param {Record<string, any>} terms @param {Record<string, any>} table what everybody finds at each table */
export async function openSeries(circle, terms, table) {
  await attempt(async () => goTo(toSeries((await post(`/api/circles/${circle}/series`, { ...terms, table })).id)));
}
