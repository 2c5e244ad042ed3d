// @ts-check
/** What areas share: zones that differ by index, their names, and facts by the part that they have in an area. */

import { seatName } from "../base/game.js";
import { language, t } from "../base/words.js";

/** @param {import("../base/api.js").Zone[]} zones */
export function indices(zones) {
  return [...new Set(zones.map(({ index }) => index))];
}

/** The words that all these names begin with, to be written only once. @param {string[]} names */
export function commonPrefix(names) {
  const [first, ...others] = names.map(name => [...new Intl.Segmenter(language(), { granularity: "word" }).segment(name)].map(({ segment }) => segment));
  const end = first.findIndex((word, n) => others.some(other => other[n] !== word));
  return first.slice(0, Math.max(end, 0)).join("").replace(/[\s\p{P}]+$/u, "");
}

/** "Mina: played". @param {import("../base/api.js").Game} game @param {import("../base/api.js").Zone} zone */
export function zoneOfSeat(game, zone) {
  return `${seatName(game, zone.seat ?? 0)}${t("colon")}${zone.words}`;
}

/** The fact that has a part in an area, about a seat and at an index, or null. @param {import("../base/api.js").View} view @param {import("../base/api.js").Area} area @param {string} part @param {{seat?: number, index?: number}} [about] */
export function factOf({ facts }, area, part, { seat, index } = {}) {
  const name = area.facts[part];
  return facts.find(fact => fact.name === name && fact.of === seat && fact.index === index) ?? null;
}
