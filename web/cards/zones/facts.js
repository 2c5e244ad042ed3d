// @ts-check
/**
 * Facts besides the cards: each is shown briefly next to what it is about, or as a sentence in the middle.
 *
 * @typedef {import("../../base/api.js").Fact} Fact
 * @typedef {import("../../base/api.js").View} View
 * @typedef {import("./zone_layout.js").Places} Places
 */

import { h } from "../../base/dom.js";
import { colourCards } from "../../base/words.js";

/** Areas whose facts are told at the seat: as tokens and the like, or because they only say where something is marked. */
const KEPT = ["token", "suits", "bid", "centre"];
/** Areas that draw what is told of the seat that a fact names. */
const AT_SEATS = ["token", "bid"];
/** What is told in a centre alone, at the card that it is about. */
const AT_CARDS = "number";
/** The part that names a member of another fact, and no fact. */
const MEMBER = "of";

/** Facts about a seat. @param {View} view @param {Places} places @param {number} seat */
export function factsOfSeat({ facts }, places, seat) {
  return facts.filter(fact => (fact.of === seat || (namesItsSeat(fact, places) && fact.seat === seat)) && !isBeside(fact, places));
}

/** Facts about the whole table. @param {View} view @param {Places} places */
export function commonFacts({ facts }, places) {
  return facts.filter(fact => fact.of === undefined && !namesItsSeat(fact, places) && !isBeside(fact, places));
}

/** Facts about the zone with this index, of a seat or of none. @param {View} view @param {number | undefined} index @param {number} [seat] */
export function factsAtIndex({ facts }, index, seat) {
  return facts.filter(fact => fact.of === seat && fact.index === index && index !== undefined);
}

/** A fact in few words, for next to what it is about. @param {Fact} fact */
export function shortWords({ short, words }) {
  return short ?? words;
}

/** Short, for next to what they are about. @param {Fact[]} list */
export function drawShortFacts(list) {
  return drawFacts(list, shortWords);
}

/** @param {Fact[]} list @param {(fact: Fact) => string} worded */
function drawFacts(list, worded) {
  return list.length > 0 && h("ul", { className: "facts" }, list.map(fact => h("li", { className: fact.foreseen ? "foreseen" : null }, colourCards(worded(fact)))));
}

/** Facts such as "has the joker" are shown at the seat they name, if they have few words or a picture. @param {Fact} fact @param {Places} places */
function namesItsSeat({ name, of, seat, index, short, foreseen }, { areas }) {
  return of === undefined && seat !== undefined && index === undefined && (short !== undefined || !foreseen && areas.some(({ kind, facts }) => AT_SEATS.includes(kind) && (facts.of === name || facts.by === name)));
}

/** Whether a fact is shown at a lane or a column, or in an area of its own. @param {Fact} fact @param {Places} places */
function isBeside({ name, of, index }, { lanes, columns, areas }) {
  if (areas.some(({ kind, facts }) => kind === "token" && facts.of === name)) return false;
  if (areas.some(({ kind, facts }) => Object.entries(facts).some(([part, each]) => each === name && part !== MEMBER && (!KEPT.includes(kind) || part === AT_CARDS)))) return true;
  return index !== undefined && (lanes.length > 0 || (of === undefined && columns.length > 0));
}
