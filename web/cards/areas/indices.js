// @ts-check
/** What areas share: zones that differ by index, their names, and facts by the part that they have in an area. */

import { seatName } from "../../base/game.js";
import { language, t } from "../../base/words.js";

/** @param {import("../../base/api.js").Zone[]} zones */
export function indices(zones) {
  return [...new Set(zones.map(({ index }) => index))];
}

/** The words that all these names begin with, to be written only once. @param {string[]} names */
export function commonPrefix(names) {
  const [first, ...others] = names.map(wordsOf);
  let end = first.findIndex((word, n) => others.some(other => other[n] !== word));
  while (end > 0 && isLink(first[end - 1])) end--;
  return first.slice(0, Math.max(end, 0)).join("");
}

/** The rest of a name that begins so. @param {string} name @param {string} prefix */
export function withoutPrefix(name, prefix) {
  if (!prefix) return name;
  const rest = wordsOf(name.slice(prefix.length));
  return rest.slice(rest.findIndex(word => !isLink(word))).join("");
}

/** Whether it only links the words before it to those after it: a space, a comma, a particle. @param {string} word */
function isLink(word) {
  return word === t("name.link") || !/[^\s\p{P}]/u.test(word);
}

/** With what stands between them. @param {string} name @returns {string[]} */
function wordsOf(name) {
  return [...new Intl.Segmenter(language(), { granularity: "word" }).segment(name)].map(({ segment }) => segment);
}

/** "Mina: played". @param {import("../../base/api.js").Game} game @param {import("../../base/api.js").Zone} zone */
export function zoneOfSeat(game, zone) {
  return `${seatName(game, zone.seat ?? 0)}${t("colon")}${zone.words}`;
}

/** The fact that has a part in an area, about a seat and at an index, or null. @param {import("../../base/api.js").View} view @param {import("../../base/api.js").Area} area @param {string} part @param {{seat?: number, index?: number}} [about] */
export function factOf({ facts }, area, part, { seat, index } = {}) {
  const name = area.facts[part];
  return facts.find(fact => fact.name === name && fact.of === seat && fact.index === index) ?? null;
}
