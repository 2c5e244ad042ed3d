// @ts-check
/**
 * The user's hand, and other cards that only the user sees. Every card is a button; cards that cannot be picked now are dimmed but readable.
 *
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {{held: (code: string, nth: number) => boolean, order: (code: string) => number, tap: (code: string, held: boolean) => void,
 *   possible: (code: string, held: boolean) => boolean, placed: (code: string) => boolean, tried: (code: string, held: boolean) => boolean,
 *   active: boolean, refuse: (code: string) => void}} Picking  `placed`: whether it lies on the table already, sealed; `tried`: whether a lesson has the user try it;
 *   `refuse`: says why a card cannot be picked
 */

import { load, save } from "../../base/browser_storage.js";
import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";
import { cardCode, cardName, drawUnlabelledCard } from "../../cards/card.js";
import { isDomino } from "../../cards/domino_drawings.js";
import { drawCount } from "../../cards/zones/zone.js";

const RANKS = "A23456789TJQK";
/** The most cards and tiles that fit side by side on a phone; more wrap. */
const SIDE_BY_SIDE = 13;
const TILES_SIDE_BY_SIDE = 11;
/** The most that lie side by side on a wide screen. */
const SIDE_BY_SIDE_AT_A_DESK = 18;

/** One button sorts all of them. @param {Zone[]} zones @param {Picking} picking @param {() => void} redraw @param {import("../../base/dom.js").Child} [beside] */
export function drawHands(zones, picking, redraw, beside = null) {
  const sortable = zones.find(zone => codesOf(zone).length > 2 && !codesOf(zone).some(isDomino));
  const sort = h("button", { type: "button", className: "plain small", onclick: () => (save("hand", otherOrder()), redraw()) }, t(`hand.by.${otherOrder()}`));
  return h("div", { className: "hands", key: "hands" }, zones.map(zone => drawHand(zone, picking, zone === sortable && sort)), beside);
}

/** @param {Zone} zone @param {Picking} picking @param {HTMLElement | false} sort */
function drawHand(zone, picking, sort) {
  const cards = sorted(codesOf(zone));
  const tiles = cards.length > 0 && cards.every(isDomino);
  const many = cards.length > (tiles ? TILES_SIDE_BY_SIDE : SIDE_BY_SIDE);
  return h("section", { className: `hand${tiles ? " tiles" : ""}${many ? " many" : ""}${cards.length > SIDE_BY_SIDE_AT_A_DESK ? " most" : ""}`, key: zone.name, "aria-label": t("zone.count", { zone: zone.words, count: zone.count }) },
    h("header", {},
      h("p", { className: "zone-name", "aria-hidden": "true" }, zone.words, drawCount(zone)),
      sort),
    h("ul", { className: "cards" }, cards.map((code, n) => drawPick(code, cards.slice(0, n).filter(each => each === code).length, picking))));
}

/** @param {string} code @param {number} nth among identical cards @param {Picking} picking */
function drawPick(code, nth, { held, order, tap, possible, placed, tried, active, refuse }) {
  const up = held(code, nth);
  const may = active && possible(code, up);
  const place = up ? order(code) : 0;
  return h("li", { key: `${code} ${nth}` },
    h("button", {
      type: "button", className: `hand-card${up ? " up" : ""}${(active && !may) || placed(code) ? " not-now" : ""}${may && tried(code, up) ? " to-try" : ""}`, "data-control": true, "data-card": code,
      "aria-pressed": up, "aria-disabled": !may, "aria-label": cardName(code), onclick: () => (may ? tap(code, up) : refuse(code)),
    }, drawUnlabelledCard(code), place > 0 && h("span", { className: "order" }, place)));
}

/** The codes of the cards that are visible. @param {Zone} zone */
export function codesOf({ cards = [] }) {
  return cards.map(cardCode).filter(code => code !== null);
}

function sortOrder() {
  return load("hand") ?? "suit";
}

function otherOrder() {
  return sortOrder() === "suit" ? "rank" : "suit";
}

/** The service lists cards by suit. @param {string[]} cards */
function sorted(cards) {
  if (sortOrder() === "suit") return cards;
  const rank = (/** @type {string} */ code) => (code === "Jk" ? RANKS.length : RANKS.indexOf(code[0]));
  return [...cards].sort((one, another) => rank(one) - rank(another));
}
