// @ts-check
/**
 * Which cards are new: those that were not in their zone when the user looked last, except the user's own plays.
 *
 * @typedef {import("../base/api.js").Zone} Zone
 * @typedef {import("../base/api.js").View} View
 * @typedef {object} TableBefore
 * @property {Record<string, (string | null)[]>} zones  The codes of the cards in each zone, by the zone's key.
 * @property {string[]} own  Cards that the user held or played: where they are now is no news.
 */

import { cardCode } from "../cards/card.js";

/** @param {View} view @param {number | null} seat of the user @param {string[]} played  cards of the user's action @returns {TableBefore} */
export function rememberTable({ zones }, seat, played) {
  const held = zones.filter(zone => zone.kind === "hand" && zone.seat === seat).flatMap(codes);
  const own = [...held, ...played].filter(code => code !== null);
  return { zones: Object.fromEntries(zones.filter(({ cards }) => cards).map(zone => [zoneKey(zone), codes(zone)])), own: [...new Set(own)] };
}

/** Whatever these actions name was moved by the user too. @param {TableBefore | null} before @param {any[]} actions @returns {TableBefore | null} */
export function withOwnActions(before, actions) {
  const named = JSON.stringify(actions).match(/(?<=")([A2-9TJQK][shdc]|Jk|\d+-\d+)(?=")/g) ?? [];
  return before && named.length ? { ...before, own: [...before.own, ...named] } : before;
}

/** The positions of new cards in a zone. @param {Zone} zone @param {TableBefore | null} before */
export function freshPositions(zone, before) {
  const left = [...(before?.zones[zoneKey(zone)] ?? [])];
  /** @type {Set<number>} */
  const fresh = new Set();
  if (!before) return fresh;
  codes(zone).forEach((code, n) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    else if (code !== null && !before.own.includes(code)) fresh.add(n);
  });
  return fresh;
}

/** @param {Zone} zone */
export function zoneKey({ name, seat, index }) {
  return [name, seat, index].join("/");
}

/** @param {Zone} zone */
function codes({ cards = [] }) {
  return cards.map(cardCode);
}
