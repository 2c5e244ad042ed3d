// @ts-check
/**
 * Zones with numbered places: a grid whose places can be picked, a ladder whose first place is the highest.
 *
 * @typedef {import("../base/api.js").Zone} Zone
 * @typedef {import("../base/api.js").Face} Face
 * @typedef {{possible: (place: number) => boolean, held: (place: number) => boolean, tap: (place: number) => void}} Spots
 *   How places are picked.
 */

import { h } from "../base/dom.js";
import { t } from "../base/words.js";
import { cardName, drawUnlabelledCard } from "../cards/card.js";

/** Places are numbered from 0, as in actions. @param {Zone} zone @param {Set<number>} fresh @param {Spots | null} spots */
export function drawGrid(zone, fresh, spots) {
  return h("ul", { className: "places" }, (zone.cards ?? []).map((card, n) => {
    const control = spots !== null && (spots.possible(n) || spots.held(n));
    return h("li", { key: String(n) }, control ? drawSpot(card, n, spots, fresh) : drawPlace(card, n, fresh));
  }));
}

/** @param {Zone} zone @param {Set<number>} fresh */
export function drawLadder(zone, fresh) {
  return h("ul", { className: "places" }, (zone.cards ?? []).map((card, n) =>
    h("li", { key: String(n) }, drawPlace(card, n + 1, fresh.has(n) ? new Set([n + 1]) : new Set()))));
}

/** @param {Face} card @param {number} n @param {Set<number>} fresh */
function drawPlace(card, n, fresh) {
  return h("span", { className: "place", role: "img", "aria-label": placeName(card, n) }, drawContent(card, n, fresh));
}

/** @param {Face} card @param {number} n @param {Spots} spots @param {Set<number>} fresh */
function drawSpot(card, n, { held, tap }, fresh) {
  return h("button", {
    type: "button", className: held(n) ? "place spot up" : "place spot", "data-control": true, "data-place": n,
    "aria-pressed": held(n), "aria-label": placeName(card, n), onclick: () => tap(n),
  }, drawContent(card, n, fresh));
}

/** @param {Face} card @param {number} n @param {Set<number>} fresh */
function drawContent(card, n, fresh) {
  return [drawUnlabelledCard(card, fresh.has(n) ? ["fresh"] : []), h("span", { className: "place-number" }, n)];
}

/** @param {Face} card @param {number} n */
function placeName(card, n) {
  return t("place", { n, card: cardName(card) });
}
