// @ts-check
/**
 * Spots: what on the table can be pointed at to choose it, a zone, a card, a place, a gap between cards, an end of a line, a seat.
 *
 * @typedef {object} Spot
 * @property {boolean} held  Whether it is chosen.
 * @property {boolean} glows  Whether choosing it goes on with what has been chosen; otherwise it starts over.
 * @property {boolean} [usual]  Whether it is what one usually does: the table invites to it.
 * @property {boolean} [tried]  Whether a lesson has the user try it.
 * @property {string | null} ghost  The card that will lie there if the action that is ready is confirmed.
 * @property {() => void} tap
 *
 * @typedef {object} Spots
 * @property {(key: string) => Spot | null} spot  By what the functions below return; null: there is nothing to choose.
 * @property {(zone: Zone, card: import("../../base/api.js").Face) => boolean} passesOver  Whether others on the table can be chosen, but not this card.
 * @property {(zone: Zone, card: import("../../base/api.js").Face, place: number) => void} [refuse]  Says why something that is passed over cannot be chosen.
 * @typedef {import("../../base/api.js").Zone} Zone
 */

import { h } from "../../base/dom.js";
import { cardName, drawUnlabelledCard } from "../card.js";
import { zoneKey } from "./fresh_cards.js";

/** @param {Zone} zone */
export const zoneSpot = zone => `zone ${zoneKey(zone)}`;
/** @param {Zone} zone @param {number} place */
export const placeSpot = (zone, place) => `place ${zoneKey(zone)} ${place}`;
/** @param {Zone} zone @param {number} beneath  the number of cards beneath the gap */
export const gapSpot = (zone, beneath) => `gap ${zoneKey(zone)} ${beneath}`;
/** @param {Zone} zone @param {"left" | "right"} side */
export const endSpot = (zone, side) => `end ${zoneKey(zone)} ${side}`;
/** @param {string | null} code */
export const cardSpot = code => `card ${code}`;
/** @param {number} seat */
export const seatSpot = seat => `seat ${seat}`;

/** The spot, unless it can be neither chosen nor taken back. @param {Spots | null} spots @param {string} key */
export function choosable(spots, key) {
  const spot = spots?.spot(key) ?? null;
  return spot && (spot.glows || spot.held) ? spot : null;
}

/**
 * A button for a spot.
 * @param {string} key @param {Spot} spot @param {string} className @param {string} label @param {import("../../base/dom.js").Child[]} content
 */
export function drawSpot(key, { held, glows, usual, tried, tap }, className, label, ...content) {
  return h("button", {
    type: "button", className: `spot ${className}${held ? " up" : ""}${glows && usual !== false && !held ? " glows" : ""}${tried ? " to-try" : ""}`, "data-control": true, "data-spot": key, key,
    "aria-pressed": held, "aria-label": label, onclick: tap,
  }, content);
}

/**
 * What others on the table are chosen before: it says why when it is touched. Only arrow keys lead to it.
 * @param {Spots} spots @param {Zone} zone @param {import("../../base/api.js").Face} card @param {number} place @param {string} className @param {string} label @param {import("../../base/dom.js").Child[]} content
 */
export function drawPassedOver(spots, zone, card, place, className, label, ...content) {
  return h("button", {
    type: "button", className: `passed-over ${className}`, "data-control": true, tabindex: "-1", "aria-disabled": true, "aria-label": label, onclick: () => spots.refuse?.(zone, card, place),
  }, content);
}

/** The button over all of a zone or seat, which lies above what cannot be chosen by itself. @param {Spots | null} spots @param {string} key @param {string} label */
export function drawSpotArea(spots, key, label) {
  const spot = choosable(spots, key);
  return spot && drawSpot(key, spot, "spot-area", label);
}

/** The card that will lie at a spot, as an item of a list. @param {Spots | null} spots @param {string} key */
export function drawGhost(spots, key) {
  const code = spots?.spot(key)?.ghost ?? null;
  return code !== null && h("li", { className: "ghost", key: `ghost ${key}` }, drawUnlabelledCard(code));
}

/** A card of a zone that can be chosen itself, or null. @param {Spots | null} spots @param {string | null} code @param {import("../../base/api.js").Face} card @param {string[]} classes */
export function drawCardSpot(spots, code, card, classes) {
  const spot = choosable(spots, cardSpot(code));
  return spot && drawSpot(cardSpot(code), spot, "card-spot", cardName(card), drawUnlabelledCard(card, classes));
}
