// @ts-check
/**
 * The usual lengths of a game, shortest first: each is some options with certain values, the others as they usually are.
 *
 * @typedef {import("./api.js").Option} Option
 * @typedef {import("./api.js").Length} Length
 * @typedef {Record<string, any>} Values  Of options by name.
 */

import { t } from "./words.js";

/** The options of a length, all of them. @param {Record<string, Option>} options @param {Length | undefined} length @returns {Values} */
export function valuesOf(options, length) {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, length?.options[name] ?? option.default]));
}

/** Which of the lengths these values are; -1: none. @param {Record<string, Option>} options @param {Length[]} lengths @param {Values} values */
export function lengthOf(options, lengths, values) {
  const shown = relevant(options, values);
  return lengths.findIndex(length => shown.every(name => values[name] === valuesOf(options, length)[name]));
}

/** The names of the options that matter beside the values of the others and leave a choice. @param {Record<string, Option>} options @param {Values} values */
export function relevant(options, values) {
  return Object.keys(options).filter(name => {
    const { oneOf, when = {} } = options[name];
    return oneOf.length > 1 && Object.entries(when).every(([other, value]) => !(other in options) || values[other] === value);
  });
}

/** "Two laps – about 40 decisions each". @param {Length} length */
export function lengthText({ words, decisions }) {
  return t("open.length.each", { words, decisions });
}
