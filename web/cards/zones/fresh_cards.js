// @ts-check
/**
 * Which cards are new: those that were not in their zone when the user looked last, except the user's own plays, and what
 * has come to the user's own zones by itself.
 *
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {import("../../base/api.js").View} View
 * @typedef {object} TableBefore
 * @property {Record<string, (string | null)[]>} zones  The codes of the cards in each zone, by the zone's key.
 * @property {string[]} own  Cards that the user held or played: where they are now is no news.
 * @property {string[]} [played]  Those of them that the user played: others may have a card of the same kind, and move it.
 * @property {number | null} [seat]  Of the user.
 * @property {string[]} [moved]  Cards that others have moved since.
 */

import { cardCode } from "../card.js";

/** @param {View} view @param {number | null} seat of the user @param {string[]} played  cards of the user's action @returns {TableBefore} */
export function rememberTable({ zones }, seat, played) {
  const held = zones.filter(zone => zone.kind === "hand" && zone.seat === seat).flatMap(codes);
  const own = [...held, ...played].filter(code => code !== null);
  return { zones: Object.fromEntries(zones.filter(({ cards }) => cards).map(zone => [zoneKey(zone), codes(zone)])), own: [...new Set(own)], played, seat };
}

/** Whatever actions name was moved by whoever acted, the user too. @param {TableBefore | null} before @param {{own: any[], others: any[]}} actions @returns {TableBefore | null} */
export function withActions(before, { own, others }) {
  const mine = cardsNamed(own);
  return before && { ...before, own: [...before.own, ...mine], played: [...(before.played ?? []), ...mine], moved: cardsNamed(others) };
}

/** @param {any[]} actions */
export function cardsNamed(actions) {
  return JSON.stringify(actions).match(/(?<=")([A2-9TJQK][shdc]|Jk|\d+-\d+)(?=")/g) ?? [];
}

/** The positions of new cards in a zone. @param {Zone} zone @param {TableBefore | null} before */
export function freshPositions(zone, before) {
  const left = [...(before?.zones[zoneKey(zone)] ?? [])];
  /** @type {Set<number>} */
  const fresh = new Set();
  if (!before) return fresh;
  const { own, played = [], moved = [], seat } = before;
  const isMine = zone.seat !== undefined && zone.seat === seat;
  codes(zone).forEach((code, n) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    else if (code !== null && ((moved.includes(code) && !played.includes(code)) || (!isMine && !own.includes(code)))) fresh.add(n);
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
