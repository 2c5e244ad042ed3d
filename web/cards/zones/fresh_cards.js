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
 * @property {Move[]} [moves]  What was moved since, in order.
 * @typedef {{code: string, seat: number | undefined}} Move  A card, and who moved it.
 */

import { ANY_CARD, cardCode } from "../card.js";

const NAMED = new RegExp(`(?<=")(${ANY_CARD}|\\d+-\\d+)(?=")`, "g");

/** @param {View} view @param {number | null} seat of the user @param {string[]} played  cards of the user's action @returns {TableBefore} */
export function rememberTable({ zones }, seat, played) {
  const held = zones.filter(zone => zone.kind === "hand" && zone.seat === seat).flatMap(codes);
  const own = [...held, ...played].filter(code => code !== null);
  return { zones: Object.fromEntries(zones.filter(({ cards }) => cards).map(zone => [zoneKey(zone), codes(zone)])), own: [...new Set(own)], played, seat };
}

/** What has been moved since: by the user first, then as told. @param {TableBefore | null} before @param {Move[]} moves @returns {TableBefore | null} */
export function withMoves(before, moves) {
  return before && { ...before, moves: [...(before.played ?? []).map(code => ({ code, seat: before.seat ?? undefined })), ...moves] };
}

/** The cards that an event moved: those that its action names, and of choices that it opened those of their seats. @param {import("../../base/api.js").GameEvent} event @returns {Move[]} */
export function movesOf({ seat, action, opened = [] }) {
  const choices = opened.filter(each => each.seat !== seat || !action);
  return [{ seat, action }, ...choices].flatMap(each => cardsNamed([each.action]).map(code => ({ code, seat: each.seat })));
}

/** @param {any[]} actions */
export function cardsNamed(actions) {
  return JSON.stringify(actions).match(NAMED) ?? [];
}

/** The positions of new cards in a zone. @param {Zone} zone @param {TableBefore | null} before */
export function freshPositions(zone, before) {
  const left = [...(before?.zones[zoneKey(zone)] ?? [])];
  /** @type {Set<number>} */
  const fresh = new Set();
  if (!before) return fresh;
  /** @type {Map<string, number>} */
  const arrived = new Map();
  codes(zone).forEach((code, n) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    else if (code !== null) {
      const nth = arrived.get(code) ?? 0;
      arrived.set(code, nth + 1);
      if (isFresh(zone, before, code, nth)) fresh.add(n);
    }
  });
  return fresh;
}

/** Whether somebody else moved a card there: several may have one of the same kind. @param {Zone} zone @param {TableBefore} before @param {string} code @param {number} nth  of those of this kind that have come to the zone */
function isFresh({ seat }, { own, moves = [], seat: me = null }, code, nth) {
  const found = moves.filter(each => each.code === code);
  const others = found.filter(each => each.seat !== me);
  if (!found.length) return (seat === undefined || seat !== me) && !own.includes(code);
  if (!others.length || others.length === found.length) return others.length > 0;
  return seat === undefined ? found[Math.min(nth, found.length - 1)].seat !== me : seat !== me;
}

/** @param {Zone} zone */
export function zoneKey({ name, seat, index }) {
  return [name, seat, index].join("/");
}

/** @param {Zone} zone */
function codes({ cards = [] }) {
  return cards.map(cardCode);
}
