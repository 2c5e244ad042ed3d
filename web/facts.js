// @ts-check
/**
 * What is known beside the cards: each fact stands beside what it is about, shortly, or else in the middle, as a sentence.
 *
 * @typedef {import("./api.js").Fact} Fact
 * @typedef {import("./api.js").View} View
 * @typedef {import("./layout.js").Places} Places
 */

import { h } from "./dom.js";
import { prose } from "./words.js";

/** About this seat. @param {View} view @param {Places} places @param {number} seat */
export function ofSeat({ facts }, places, seat) {
  return facts.filter(fact => (fact.of === seat || (isOfItsSeat(fact) && fact.seat === seat)) && !isBeside(fact, places));
}

/** About no seat and no place. @param {View} view @param {Places} places */
export function common({ facts }, places) {
  return facts.filter(fact => fact.of === undefined && !isOfItsSeat(fact) && !isBeside(fact, places));
}

/** About the place with this index, of this seat or of none. @param {View} view @param {number | undefined} index @param {number} [seat] */
export function atIndex({ facts }, index, seat) {
  return facts.filter(fact => fact.of === seat && fact.index === index && index !== undefined);
}

/** As they read beside what they are about. @param {Fact[]} list */
export function brief(list) {
  return drawn(list, ({ short, words }) => short ?? words);
}

/** As sentences. @param {Fact[]} list */
export function sentences(list) {
  return drawn(list, ({ words }) => words);
}

/** @param {Fact[]} list @param {(fact: Fact) => string} worded */
function drawn(list, worded) {
  return list.length > 0 && h("ul", { className: "facts" }, list.map(fact => h("li", {}, prose(worded(fact)))));
}

/** "Has the joker" is said beside the seat it names. @param {Fact} fact */
function isOfItsSeat({ of, seat, index, short }) {
  return of === undefined && seat !== undefined && index === undefined && short !== undefined;
}

/** Whether a lane or a column says it. @param {Fact} fact @param {Places} places */
function isBeside({ of, index }, { lanes, columns }) {
  return index !== undefined && (lanes.length > 0 || (of === undefined && columns.length > 0));
}
