// @ts-check
/**
 * Which zones belong where on the screen, told by what they are alone: whose, of how many alike, seen by whom.
 *
 * @typedef {import("./api.js").Zone} Zone
 * @typedef {object} Places
 * @property {Zone | undefined} hand  Mine, below.
 * @property {Zone[]} mine  Others of mine that nobody else sees; below as well where they are chosen from.
 * @property {Zone[]} lanes  Rows of two seats that face each other.
 * @property {Zone[]} columns  Zones without a seat that are alike but for their index.
 * @property {Zone[]} trick  What every seat has laid into the middle.
 * @property {Zone[]} table  All else without a seat.
 * @property {(seat: number) => Zone[]} of  What lies before a seat.
 */

import { codeOf } from "./cards.js";

/** @param {Zone[]} zones @param {number | null} me  null: nothing is drawn below, as for who looks on @returns {Places} */
export function arrange(zones, me) {
  const hand = zones.find(({ kind, seat, cards }) => kind === "hand" && seat === me && cards !== undefined);
  const rows = zones.filter(({ seat, index }) => seat !== undefined && index !== undefined);
  const lanes = distinct(rows, "seat") === 2 ? rows : [];
  const laid = zones.filter(({ kind, seat }) => kind === "trick" && seat !== undefined);
  const trick = laid.some(({ count }) => count > 0) ? laid : [];
  const indexed = zones.filter(({ seat, index }) => seat === undefined && index !== undefined);
  const columns = distinct(indexed, "index") > 1 ? indexed : [];
  const elsewhere = new Set([hand, ...lanes, ...laid, ...columns]);
  return {
    hand, lanes, trick, columns,
    mine: zones.filter(zone => zone !== hand && zone.seat === me && isPrivate(zone, zones)),
    table: zones.filter(zone => zone.seat === undefined && !elsewhere.has(zone) && (zone.count > 0 || zone.kind === "pile")),
    of: wanted => zones.filter(zone => zone.seat === wanted && !elsewhere.has(zone) && (zone.kind === "hand" || zone.count > 0)),
  };
}

/** Whether a hand is known by its number alone. @param {Zone} zone */
export function isHidden({ kind, cards }) {
  return kind === "hand" && (cards ?? []).every(card => codeOf(card) === null);
}

/** @param {Zone[]} zones @param {"seat" | "index"} what */
function distinct(zones, what) {
  return new Set(zones.map(zone => zone[what])).size;
}

/** Whether its cards are seen, but not those of others. @param {Zone} zone @param {Zone[]} zones */
function isPrivate({ name, seat, cards = [] }, zones) {
  const seen = cards.length > 0 && cards.every(card => codeOf(card) !== null);
  return seen && zones.some(other => other.name === name && other.seat !== seat && !(other.cards ?? [null]).every(codeOf));
}
