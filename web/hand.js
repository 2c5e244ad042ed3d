// @ts-check
/**
 * My hand: every card is a control; those that fit nowhere now are dimmed, but can still be read.
 *
 * @typedef {import("./api.js").Zone} Zone
 * @typedef {{held: (code: string, nth: number) => boolean, order: (code: string) => number, tap: (code: string, held: boolean) => void,
 *   possible: (code: string, held: boolean) => boolean, active: boolean}} Picking
 */

import { codeOf, nameOf, pictureOnly } from "./cards.js";
import { h } from "./dom.js";
import { isDomino } from "./dominoes.js";
import { load, save } from "./store.js";
import { t } from "./words.js";

const RANKS = "A23456789TJQK";
/** As many can be seen side by side on a phone; more take several lines. */
const SIDE_BY_SIDE = 13;

/** @param {Zone} zone @param {Picking} picking @param {() => void} redraw */
export function drawHand(zone, picking, redraw) {
  const cards = sorted((zone.cards ?? []).map(codeOf).filter(code => code !== null));
  const suits = cards.length > 2 && !cards.some(isDomino);
  return h("section", { className: cards.length > SIDE_BY_SIDE ? "hand many" : "hand", key: zone.name, "aria-label": t("zone.count", { zone: zone.words, count: zone.count }) },
    h("header", {},
      h("p", { className: "zone-name", "aria-hidden": "true" }, zone.words, h("span", { className: "count" }, zone.count)),
      suits && h("button", { type: "button", className: "plain small", onclick: () => (turnOrder(), redraw()) }, t(`hand.by.${other()}`))),
    h("ul", { className: "cards" }, cards.map((code, n) => card(code, cards.slice(0, n).filter(each => each === code).length, picking))));
}

/** @param {string} code @param {number} nth which of equal cards @param {Picking} picking */
function card(code, nth, { held, order, tap, possible, active }) {
  const up = held(code, nth);
  const may = active && possible(code, up);
  const place = up ? order(code) : 0;
  return h("li", { key: `${code} ${nth}` },
    h("button", {
      type: "button", className: `pick${up ? " up" : ""}${active && !may ? " not-now" : ""}`, "data-control": true, "data-card": code,
      "aria-pressed": up, "aria-disabled": !may, "aria-label": nameOf(code), onclick: () => may && tap(code, up),
    }, pictureOnly(code), place > 0 && h("span", { className: "order" }, place)));
}

function order() {
  return load("hand") ?? "suit";
}

function other() {
  return order() === "suit" ? "rank" : "suit";
}

function turnOrder() {
  save("hand", other());
}

/** By suit is how the service lists them. @param {string[]} cards */
function sorted(cards) {
  if (order() === "suit") return cards;
  const rank = (/** @type {string} */ code) => (code === "Jk" ? RANKS.length : RANKS.indexOf(code[0]));
  return [...cards].sort((one, another) => rank(one) - rank(another));
}
