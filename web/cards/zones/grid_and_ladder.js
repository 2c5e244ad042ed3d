// @ts-check
/**
 * Zones with numbered places: a grid whose places can be picked, a ladder whose first place is the highest.
 *
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {import("../../base/api.js").Face} Face
 * @typedef {import("./spots.js").Spots} Spots
 */

import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";
import { cardCode, cardName, drawUnlabelledCard } from "../card.js";
import { cardSpot, choosable, drawPassedOver, drawSpot, placeSpot } from "./spots.js";

/** Places are numbered from 0, as in actions. @param {Zone} zone @param {Set<number>} fresh @param {Spots | null} spots */
export function drawGrid(zone, fresh, spots) {
  const any = (zone.cards ?? []).some((_, n) => spots?.spot(placeSpot(zone, n)));
  return h("ul", { className: "places" }, (zone.cards ?? []).map((card, n) => {
    const key = placeSpot(zone, n);
    const spot = spots?.spot(key);
    return h("li", { key: String(n) }, spot ? drawSpot(key, spot, "place", placeName(card, n), drawContent(card, n, fresh)) : drawPlace(zone, card, n, n, fresh, any ? spots : null));
  }));
}

/** @param {Zone} zone @param {Set<number>} fresh @param {Spots | null} spots */
export function drawLadder(zone, fresh, spots) {
  return h("ul", { className: "places" }, (zone.cards ?? []).map((card, n) => {
    const marked = fresh.has(n) ? new Set([n + 1]) : new Set();
    const key = cardSpot(cardCode(card));
    const spot = choosable(spots, key);
    return h("li", { key: String(n) }, spot ? drawSpot(key, spot, "place", placeName(card, n + 1), drawContent(card, n + 1, marked)) : drawPlace(zone, card, n, n + 1, marked, spots?.passesOver(zone, card) ? spots : null));
  }));
}

/** @param {Zone} zone @param {Face} card @param {number} place @param {number} n  its number for people @param {Set<number>} fresh @param {Spots | null} spots  if others can be chosen */
function drawPlace(zone, card, place, n, fresh, spots) {
  if (spots?.refuse) return drawPassedOver(spots, zone, card, place, "place not-now", placeName(card, n), drawContent(card, n, fresh));
  return h("span", { className: spots ? "place not-now" : "place", role: "img", "aria-label": placeName(card, n) }, drawContent(card, n, fresh));
}

/** @param {Face} card @param {number} n @param {Set<number>} fresh */
function drawContent(card, n, fresh) {
  return [drawUnlabelledCard(card, fresh.has(n) ? ["fresh"] : []), h("span", { className: "place-number" }, n)];
}

/** @param {Face} card @param {number} n */
function placeName(card, n) {
  return t("place", { n, card: cardName(card) });
}
