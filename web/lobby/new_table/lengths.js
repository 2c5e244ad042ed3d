// @ts-check
/**
 * The usual lengths of a game, shortest first. A length sets some options; the others keep their defaults.
 *
 * @typedef {import("../../base/api.js").Option} Option
 * @typedef {import("../../base/api.js").Length} Length
 * @typedef {Record<string, any>} Values  Values of options, by name.
 */

import { t } from "../../base/words.js";

/** The values of all options for a length. @param {Record<string, Option>} options @param {Length | undefined} length @returns {Values} */
export function lengthValues(options, length) {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, length?.options[name] ?? option.default]));
}

/** The index of the length that these values match; -1 for none. @param {Record<string, Option>} options @param {Length[]} lengths @param {Values} values */
export function matchingLength(options, lengths, values) {
  const shown = relevantOptions(options, values);
  return lengths.findIndex(length => shown.every(name => values[name] === lengthValues(options, length)[name]));
}

/** The names of the options that apply, given the values of the others, and that leave a choice. @param {Record<string, Option>} options @param {Values} values */
export function relevantOptions(options, values) {
  return Object.keys(options).filter(name => {
    const { oneOf, when = {} } = options[name];
    return oneOf.length > 1 && Object.entries(when).every(([other, value]) => !(other in options) || values[other] === value);
  });
}

/** "Two laps – about 40 decisions each". @param {Length} length */
export function lengthText({ words, decisions }) {
  return t("new-table.length.each", { words, decisions });
}
