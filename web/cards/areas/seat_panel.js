// @ts-check
/** What is told of a seat at a glance: tokens, its suits as bars, the set that it collects, its bid as cards; and the zones that lie before it. */

import { h, svg } from "../../base/dom.js";
import { SUITS, colourCards, t } from "../../base/words.js";
import { cardCode } from "../card.js";
import { drawSuit } from "../card_drawings.js";
import { factsOfSeat, shortWords } from "../zones/facts.js";
import { drawPicture } from "./token_pictures.js";
import { drawTokens, drawTold } from "./tokens.js";

/**
 * @typedef {import("../../base/api.js").Area} Area
 * @typedef {import("../../base/api.js").Fact} Fact
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {import("../../base/dom.js").Child} Child
 * @typedef {import("./middle.js").Laid} Laid
 * @typedef {{told: Fact[], seat: number, laid: Laid}} Told  The facts about a seat.
 */

/** @type {Record<string, (area: Area, told: Told) => {drawn: Child, facts: string[]}>} */
const SHAPES = { suits: drawSuits, set: drawSet, bid: drawBid };
/** Pixels of a bar: for each card, and at most. */
const BAR = { step: 3, most: 21, width: 15 };
/** Ranks from the lowest, for what follows downwards. */
const RANKS = "23456789TJQKA";

/** The public facts of a seat. @param {Laid} laid @param {number} seat */
export function drawSeatFacts(laid, seat) {
  const told = factsOfSeat(laid.view, laid.places, seat);
  const shapes = laid.places.areas.filter(({ kind }) => kind in SHAPES).map(area => SHAPES[area.kind](area, { told, seat, laid }));
  const drawn = new Set(shapes.flatMap(({ drawn, facts }) => (drawn ? facts : [])));
  const { tokens, others } = drawTokens(laid.places.areas, told.filter(({ name }) => !drawn.has(name)));
  return drawTold([...tokens, ...shapes.map(({ drawn }) => drawn)], others, shortWords);
}

/** The zones that lie before a seat, and its others. @param {import("../zones/zone_layout.js").Places} places @param {Zone[]} zones @returns {[Zone[], Zone[]]} */
export function beforeSeat({ areas }, zones) {
  const names = areas.filter(({ kind }) => kind === "cards").flatMap(area => area.zones);
  return [zones.filter(({ name }) => names.includes(name)), zones.filter(({ name }) => !names.includes(name))];
}

/** How many there are of each suit; what is to be the most has a crown, what is to be the least a feather. @param {Area} area @param {Told} told */
function drawSuits({ facts }, { told }) {
  const [counts, most, least] = ["counts", "most", "least"].map(part => told.find(({ name }) => name === facts[part]));
  const wished = [most, least].filter(fact => fact !== undefined);
  if (!counts) return { drawn: null, facts: [] };
  const words = [counts, ...wished].map(each => each.words).join(" ");
  const bars = SUITS.map(suit => {
    const [isMost, isLeast] = [most, least].map(fact => fact?.cards.some((/** @type {string} */ code) => code[1] === suit));
    const count = Number(counts[suit]);
    return h("span", { className: `suit-count suit-${suit}` },
      isMost && drawPicture("crown"), isLeast && drawPicture("feather"),
      drawBar(count),
      h("b", {}, String(count)), drawSuit(suit));
  });
  return { drawn: h("li", { className: `token is-suits${counts.foreseen ? " foreseen" : ""}`, key: "suits", title: words }, h("span", { className: "suit-counts", role: "img", "aria-label": words }, bars),
    h("span", { className: "token-words", "aria-hidden": "true" }, colourCards(wished.map(shortWords).join(t("comma"))))), facts: Object.values(facts) };
}

/** @param {number} count */
function drawBar(count) {
  const height = Math.min(count * BAR.step, BAR.most);
  return svg("svg", { className: "bar", viewBox: `0 0 ${BAR.width} ${Math.max(height, 1)}`, width: BAR.width, height: Math.max(height, 1), "aria-hidden": "true" },
    svg("rect", { x: 0, y: 0, width: BAR.width, height: Math.max(height, 1) }));
}

/** What is collected: a place for each, with the card if it is seen, else as many backs as there are cards. @param {Area} area @param {Told} told */
function drawSet({ zones, ranks = [] }, { seat, laid: { view } }) {
  const zone = view.zones.find(each => each.seat === seat && zones.includes(each.name));
  if (!zone) return { drawn: null, facts: [] };
  const cards = (zone.cards ?? []).map(cardCode).filter(code => code !== null);
  const places = ranks.map((alike, n) => {
    const code = cards.find(each => alike.includes(each[0])) ?? null;
    if (zone.cards) return h("span", { className: code === null ? "mini missing" : `mini suit-${code[1]}` }, code === null ? shownRanks(alike) : [indexOf(code[0]), drawSuit(code[1])]);
    return h("span", { className: n < zone.count ? "mini back" : "mini missing" });
  });
  const words = t("zone.count", { zone: zone.words, count: zone.count });
  return { drawn: h("li", { className: "token", key: "set", title: words }, h("span", { className: "minis", role: "img", "aria-label": words }, places)), facts: [] };
}

/** The highest bid as cards, at the seat that has made it. @param {Area} area @param {Told} told */
function drawBid({ facts, sets = {} }, { told, laid: { view } }) {
  const by = told.find(({ name }) => name === facts.by);
  const [kind, rank, suit] = ["kind", "rank", "suit"].map(part => view.prompt?.[facts[part]]);
  if (!by || !(kind in sets)) return { drawn: null, facts: [] };
  const words = [by.words, view.prompt_words].join(" ");
  const cards = [...sets[kind]].map((sign, n) => drawMini(sign === "R" ? rank : sign === "<" ? lower(rank, n) : undefined, sign === "R" ? suit : undefined, sign));
  return { drawn: h("li", { className: "token is-bid", key: "bid", title: words }, h("span", { className: "token-sign", role: "img", "aria-label": words }, drawPicture("bid"), h("span", { className: "minis" }, cards))), facts: [facts.by] };
}

/** A small card of which perhaps not all is known. @param {string | undefined} rank @param {string | undefined} suit @param {string} sign */
function drawMini(rank, suit, sign) {
  return h("span", { className: `mini of-${sign === "s" ? "suit" : "rank"}${suit ? ` suit-${suit}` : ""}` }, rank === undefined ? (sign === "s" ? "♤" : "") : rank === "joker" ? drawPicture("joker") : indexOf(rank), suit && drawSuit(suit));
}

/** So many ranks below another; an ace is also the lowest. @param {string | undefined} rank @param {number} steps */
function lower(rank, steps) {
  return rank === undefined ? undefined : RANKS.at(RANKS.indexOf(rank) - steps);
}

/** @param {string} rank */
function indexOf(rank) {
  return rank === "T" ? "10" : rank;
}

/** Ranks that take one place: the middle one stands for "JQK". @param {string} alike */
function shownRanks(alike) {
  return alike.length > 1 ? `${alike[0]}-${alike[alike.length - 1]}` : alike;
}
