// @ts-check
/**
 * Which zones go where on the screen, decided by their owner, kind and visibility alone.
 *
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {import("../../base/api.js").Area & {lying: Zone[], beside: Zone[]}} Part  An area, the zones in it, and those beside them.
 * @typedef {object} Places
 * @property {Zone | undefined} hand  The user's hand, in the bottom panel.
 * @property {Zone[]} mine  Other zones that only the user sees; in the bottom panel when cards are chosen from them.
 * @property {Zone[]} lanes  Rows of two seats, facing each other.
 * @property {Zone[]} columns  Zones without a seat that differ only by index.
 * @property {Zone[]} trick  What each seat has played to the middle.
 * @property {Part[]} areas  What the ruleset gives a shape of its own, with its zones.
 * @property {Zone[]} table  Other zones without a seat.
 * @property {(seat: number) => Zone[]} of  The zones shown at a seat.
 */

import { cardCode } from "../card.js";

/** The shapes that are drawn at a seat, beside its other zones. */
const AT_SEATS = ["load"];
/** The shapes that only show again what lies elsewhere. */
const REPEATING = ["drawn", "record", "token", "cards", "set", "track"];

/**
 * @param {Zone[]} zones @param {number | null} me  null: there is no bottom panel, as for spectators @param {(zone: Zone) => boolean} [isSpot]  whether a zone is shown though it is empty
 * @param {import("../../base/api.js").Area[]} [layout]  the shapes that the ruleset declares @returns {Places}
 */
export function arrangeZones(zones, me, isSpot = () => false, layout = []) {
  const hand = zones.find(({ kind, seat, cards }) => kind === "hand" && seat === me && cards !== undefined);
  const areas = layout.map(area => ({ ...area, lying: zones.filter(({ name }) => area.zones.includes(name)), beside: zones.filter(({ name }) => name === area.own) }));
  const inAreas = new Set(areas.filter(({ kind }) => !REPEATING.includes(kind)).flatMap(({ kind, lying, beside }) => (AT_SEATS.includes(kind) ? [...lying, ...beside] : lying)));
  const others = zones.filter(zone => !inAreas.has(zone));
  const rows = others.filter(({ seat, index }) => seat !== undefined && index !== undefined);
  const lanes = distinct(rows, "seat") === 2 ? rows : [];
  const laid = others.filter(({ kind, seat }) => kind === "trick" && seat !== undefined);
  const trick = laid.some(({ count }) => count > 0) ? laid : [];
  const indexed = others.filter(({ seat, index }) => seat === undefined && index !== undefined);
  const columns = distinct(indexed, "index") > 1 ? indexed : [];
  const elsewhere = new Set([hand, ...lanes, ...laid, ...columns, ...inAreas]);
  return {
    hand, lanes, trick, columns, areas,
    mine: zones.filter(zone => zone !== hand && zone.seat === me && isPrivate(zone, zones)),
    table: others.filter(zone => zone.seat === undefined && !elsewhere.has(zone) && (zone.count > 0 || zone.kind === "pile" || isSpot(zone))),
    of: wanted => others.filter(zone => wanted !== me || !areas.some(({ kind, own }) => kind === "board" && own === zone.name)).filter(zone => zone.seat === wanted && !elsewhere.has(zone) && (zone.kind === "hand" || zone.count > 0 || isSpot(zone))),
  };
}

/** Whether only the number of cards in a hand is known. @param {Zone} zone */
export function isHidden({ kind, cards }) {
  return kind === "hand" && (cards ?? []).every(card => cardCode(card) === null);
}

/** @param {Zone[]} zones @param {"seat" | "index"} what */
function distinct(zones, what) {
  return new Set(zones.map(zone => zone[what])).size;
}

/** Whether the user sees its cards but not those in the same zone of others. @param {Zone} zone @param {Zone[]} zones */
function isPrivate({ name, seat, cards = [] }, zones) {
  const seen = cards.length > 0 && cards.every(card => cardCode(card) !== null);
  return seen && zones.some(other => other.name === name && other.seat !== seat && !(other.cards ?? [null]).every(cardCode));
}
