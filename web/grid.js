// @ts-check
/**
 * Zones whose places count, not their cards alone: a grid that one points into, a ladder whose first place is the highest.
 *
 * @typedef {import("./api.js").Zone} Zone
 * @typedef {import("./api.js").Face} Face
 * @typedef {{possible: (place: number) => boolean, held: (place: number) => boolean, tap: (place: number) => void}} Spots
 *   How places are chosen.
 */

import { nameOf, pictureOnly } from "./cards.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/** Places that are numbered as actions name them. @param {Zone} zone @param {Set<number>} fresh @param {Spots | null} spots */
export function drawGrid(zone, fresh, spots) {
  return h("ul", { className: "places" }, (zone.cards ?? []).map((card, n) => {
    const control = spots !== null && (spots.possible(n) || spots.held(n));
    return h("li", { key: String(n) }, control ? spot(card, n, spots, fresh) : place(card, n, fresh));
  }));
}

/** @param {Zone} zone @param {Set<number>} fresh */
export function drawLadder(zone, fresh) {
  return h("ul", { className: "places" }, (zone.cards ?? []).map((card, n) =>
    h("li", { key: String(n) }, place(card, n + 1, fresh.has(n) ? new Set([n + 1]) : new Set()))));
}

/** @param {Face} card @param {number} n @param {Set<number>} fresh */
function place(card, n, fresh) {
  return h("span", { className: "place", role: "img", "aria-label": called(card, n) }, drawn(card, n, fresh));
}

/** @param {Face} card @param {number} n @param {Spots} spots @param {Set<number>} fresh */
function spot(card, n, { held, tap }, fresh) {
  return h("button", {
    type: "button", className: held(n) ? "place spot up" : "place spot", "data-control": true, "data-place": n,
    "aria-pressed": held(n), "aria-label": called(card, n), onclick: () => tap(n),
  }, drawn(card, n, fresh));
}

/** @param {Face} card @param {number} n @param {Set<number>} fresh */
function drawn(card, n, fresh) {
  return [pictureOnly(card, fresh.has(n) ? ["fresh"] : []), h("span", { className: "place-number" }, n)];
}

/** @param {Face} card @param {number} n */
function called(card, n) {
  return t("place", { n, card: nameOf(card) });
}
