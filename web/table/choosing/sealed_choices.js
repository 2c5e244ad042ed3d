// @ts-check
/** Cards of choices that are sealed, where they lie face down. Whoever knows them, as the user does their own, sees what they are. */

import { cardCode, cardMarks } from "../../cards/card.js";
import { sealedAction } from "./action_parameters.js";
import { cardsInAction } from "./narrowing.js";

/**
 * @typedef {import("../../base/api.js").Face} Face
 * @typedef {import("../../base/api.js").View} View
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {object} Sealed
 * @property {View} view  With the cards in the zones where they lie.
 * @property {Map<number, Face[]>} laid  Those that lie before seats and in no zone.
 * @property {Map<number, string[]>} known  The cards that the user knows, by seat: they are no longer in a hand.
 * @property {boolean} [open]  Whether they lie face up.
 */

/** @param {View} view @param {import("./narrowing.js").Types} types @returns {Sealed} */
export function layFaceDown(view, types) {
  const known = new Map(view.committed.map(seat => {
    const action = sealedAction(types, view, seat);
    return [seat, action ? cardsInAction(types, { action, words: "" }) : []];
  }));
  const left = new Map([...known].map(([seat, cards]) => [seat, cards.map(card => ({ card, is: ["sealed"] }))]));
  const zones = [...view.zones];
  /** @type {Map<number, Face[]>} */
  const laid = new Map();
  for (const each of view.face_down ?? []) {
    const cards = left.get(each.of) ?? [];
    if (each.zone !== null) layInZone(zones, each, Array.from({ length: each.count ?? 1 }, () => cards.shift() ?? null));
    else if (!cards.length) laid.set(each.of, [...(laid.get(each.of) ?? []), ...backs(each.count)]);
  }
  for (const [seat, cards] of left) if (cards.length) laid.set(seat, cards);
  return { view: { ...view, zones }, laid, known };
}

/** The same when the choices have been opened: their cards are turned up where they lie, and gone from the hands. @param {View} view @param {import("./narrowing.js").Types} types @returns {Sealed} */
export function turnUp(view, types) {
  const { view: laidOut, laid, known } = layFaceDown(view, types);
  const zones = laidOut.zones.map(zone => (zone.kind === "hand" ? withoutCards(zone, known.get(zone.seat ?? -1) ?? []) : { ...zone, cards: zone.cards?.map(faceUp) }));
  return { view: { ...laidOut, zones }, laid: new Map([...laid].map(([seat, cards]) => [seat, cards.map(faceUp)])), known: new Map(), open: true };
}

/** @param {Face} face @returns {Face} */
function faceUp(face) {
  return cardMarks(face).includes("sealed") ? cardCode(face) : face;
}

/** @param {Zone} zone @param {string[]} gone @returns {Zone} */
function withoutCards(zone, gone) {
  const left = [...gone];
  const cards = zone.cards?.filter(card => {
    const at = left.indexOf(cardCode(card) ?? "");
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return cards ? { ...zone, cards, count: cards.length } : zone;
}

/** What can be chosen on a table that is only looked at: nothing; but cards that lie face down are dimmed in the hand. @param {Sealed} sealed @returns {import("../../cards/zones/spots.js").Spots} */
export function onlyLookedAt({ known }) {
  return {
    spot: () => null,
    passesOver: ({ kind, seat }, card) => kind === "hand" && seat !== undefined && (known.get(seat) ?? []).includes(cardCode(card) ?? ""),
  };
}

/** @param {number | null} count  null: not known @returns {Face[]} */
function backs(count) {
  return count === null ? [{ is: ["several"] }] : Array(count).fill(null);
}

/** @param {Zone[]} zones @param {import("../../base/api.js").FaceDown} lying @param {Face[]} cards */
function layInZone(zones, { of, zone: name, index, words }, cards) {
  const at = zones.findIndex(zone => zone.name === name && zone.seat === of && zone.index === index);
  const zone = zones[at] ?? { name, seat: of, index, kind: "row", count: 0, cards: [], words };
  const laid = { ...zone, count: zone.count + cards.length, cards: [...(zone.cards ?? []), ...cards] };
  zones.splice(at < 0 ? zones.length : at, 1, laid);
}
