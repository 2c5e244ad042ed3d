// @ts-check
/**
 * The middle of the table: the parts to which the ruleset gives a shape, then other zones without a seat.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").View} View
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {import("../zones/zone_layout.js").Part} Part
 * @typedef {object} Laid  What is drawn, and what of it can be chosen.
 * @property {Game} game
 * @property {View} view
 * @property {import("../zones/zone_layout.js").Places} places
 * @property {import("../zones/fresh_cards.js").TableBefore | null} before
 * @property {import("../zones/spots.js").Spots | null} spots
 */

import { h } from "../../base/dom.js";
import { seatName } from "../../base/game.js";
import { t } from "../../base/words.js";
import { commonFacts, drawShortFacts, factsAtIndex } from "../zones/facts.js";
import { drawCards, drawZone } from "../zones/zone.js";
import { drawBoard } from "./board.js";
import { drawCentre } from "./centre.js";
import { drawEarlierDeals } from "./earlier_deals.js";
import { drawHeads } from "./heads.js";
import { commonPrefix, indices, withoutPrefix, zoneOfSeat } from "./indices.js";
import { drawLadderArea } from "./ladder.js";
import { drawLanes } from "./lanes.js";
import { drawTokens, drawTold } from "./tokens.js";
import { drawTrack } from "./track.js";

/** @type {Record<string, (laid: Laid, part: Part) => import("../../base/dom.js").Child>} */
const SHAPES = { lanes: drawLanes, centre: drawCentre, board: drawBoard, ladder: drawLadderArea, heads: drawHeads, record: drawEarlierDeals, track: drawTrack, line: drawLineArea };

/** @param {Laid} laid */
export function drawMiddle(laid) {
  const { view, places, before, spots } = laid;
  const { tokens, others } = drawTokens(places.areas, commonFacts(view, places));
  const table = places.table.filter(zone => !isToken(zone, laid));
  const areas = places.areas.filter(({ kind }) => kind in SHAPES).map(part => SHAPES[part.kind](laid, part)).filter(each => each !== null && each !== false);
  const zones = [...table, ...places.columns, ...places.lanes, ...places.trick];
  if (!zones.length && !tokens.length && !others.length && !areas.length) return null;
  const lanes = { kind: "lanes", zones: [], facts: {}, own: null, lying: places.lanes, beside: [] };
  const [piles, open] = [true, false].map(hidden => table.filter(zone => isUnseenPile(zone) === hidden));
  return h("section", { className: "middle", key: "middle", "aria-label": t("table.middle") },
    drawTold(tokens, others, ({ words }) => words),
    areas,
    places.trick.length > 0 && drawTrick(laid),
    places.columns.length > 0 && drawColumns(laid),
    places.lanes.length > 0 && drawLanes(laid, lanes),
    table.length > 0 && h("div", { className: "zones", key: "zones" },
      open.map(zone => drawZone(zone, before, spots)),
      piles.length > 0 && h("div", { className: "zones piles", key: "piles" }, piles.map(zone => drawZone(zone, before, spots)))));
}

/** Whether a token tells where a zone's card is. @param {Zone} zone @param {Laid} laid */
function isToken({ name }, { view, places }) {
  return places.areas.some(({ kind, zones, facts }) => kind === "token" && zones.includes(name) && view.facts.some(fact => fact.name === facts.of));
}

/** Dominoes, with the numbers at their ends; which those are is told besides to who does not see them. @param {Laid} laid @param {import("../zones/zone_layout.js").Part} part */
function drawLineArea({ view, before, spots }, part) {
  const ends = view.facts.find(({ name }) => name === part.facts.ends);
  return part.lying.filter(({ count }) => count > 0).map(zone => h("div", { key: `line ${zone.name}` },
    ends && h("p", { className: "hidden" }, ends.words), drawZone(zone, before, spots)));
}

/** A pile of which only the number of cards is known. @param {Zone} zone */
function isUnseenPile({ kind, cards }) {
  return kind === "pile" && !(cards ?? []).some(card => card !== null);
}

/** What each seat has played, with its name. @param {Laid} laid */
function drawTrick({ game, places, before, spots }) {
  return h("div", { className: "trick", key: "trick" }, places.trick.map(zone =>
    h("div", { className: "zone kind-trick", key: `${zone.name} ${zone.seat}`, role: "group", "aria-label": zoneOfSeat(game, zone) },
      h("p", { className: "zone-name", "aria-hidden": "true" }, seatName(game, zone.seat ?? 0)),
      drawCards(zone, before, spots))));
}

/** Zones that differ only by index: rows one below the other, piles side by side. @param {Laid} laid */
function drawColumns({ view, places, before, spots }) {
  const lines = places.columns.every(({ kind }) => kind === "row");
  return h("div", { className: lines ? "lines" : "columns", key: "columns" }, indices(places.columns).map(index => {
    const zones = places.columns.filter(zone => zone.index === index);
    const title = zones.length > 1 ? commonPrefix(zones.map(({ words }) => words)) : "";
    return h("div", { className: "column", key: `column ${index}` },
      title && h("p", { className: "column-name", "aria-hidden": "true" }, title),
      zones.map(zone => drawZone(zone, before, spots, withoutPrefix(zone.words, title))),
      drawShortFacts(factsAtIndex(view, index)));
  }));
}
