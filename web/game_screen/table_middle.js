// @ts-check
/**
 * The middle of the table: zones without a seat, the trick, and rows that face each other.
 *
 * @typedef {import("./seats.js").ScreenState} ScreenState
 * @typedef {import("../base/api.js").Zone} Zone
 */

import { h } from "../base/dom.js";
import { seatName } from "../base/game.js";
import { language, t } from "../base/words.js";
import { drawSpotArea, zoneSpot } from "../zones/spots.js";
import { drawCards, drawZone, zoneName } from "../zones/zone.js";
import { commonFacts, drawFactSentences, drawShortFacts, factsAtIndex } from "./facts.js";

/** @param {ScreenState} screen */
export function drawMiddle(screen) {
  const { view, places, before, spots } = screen;
  const facts = commonFacts(view, places);
  const zones = [...places.table, ...places.columns, ...places.lanes, ...places.trick];
  if (!zones.length && !facts.length) return null;
  return h("section", { className: "middle", key: "middle", "aria-label": t("table.middle") },
    drawFactSentences(facts),
    places.trick.length > 0 && drawTrick(screen),
    places.columns.length > 0 && drawColumns(screen),
    places.table.length > 0 && h("div", { className: "zones" }, places.table.map(zone => drawZone(zone, before, spots))),
    places.lanes.length > 0 && drawLanes(screen));
}

/** What each seat has played, with its name. @param {ScreenState} screen */
function drawTrick({ game, places, before, spots }) {
  return h("div", { className: "trick" }, places.trick.map(zone =>
    h("div", { className: "zone kind-trick", key: `${zone.name} ${zone.seat}`, role: "group", "aria-label": zoneOfSeat(game, zone) },
      h("p", { className: "zone-name", "aria-hidden": "true" }, seatName(game, zone.seat ?? 0)),
      drawCards(zone, before, spots))));
}

/** Zones that differ only by index: rows one below the other, piles side by side. @param {ScreenState} screen */
function drawColumns({ view, places, before, spots }) {
  const lines = places.columns.every(({ kind }) => kind === "row");
  return h("div", { className: lines ? "lines" : "columns" }, indices(places.columns).map(index => {
    const zones = places.columns.filter(zone => zone.index === index);
    const title = zones.length > 1 ? commonPrefix(zones.map(({ words }) => words)) : "";
    return h("div", { className: "column", key: `column ${index}` },
      title && h("p", { className: "column-name", "aria-hidden": "true" }, title.replace(/[\s\p{P}]+$/u, "")),
      zones.map(zone => drawZone(zone, before, spots, zone.words.slice(title.length))),
      drawShortFacts(factsAtIndex(view, index)));
  }));
}

/** The words that all these names begin with, to be written only once. @param {string[]} names */
function commonPrefix(names) {
  const [first, ...others] = names.map(name => [...new Intl.Segmenter(language(), { granularity: "word" }).segment(name)].map(({ segment }) => segment));
  const end = first.findIndex((word, n) => others.some(other => other[n] !== word));
  return first.slice(0, Math.max(end, 0)).join("");
}

/** @param {ScreenState} screen */
function drawLanes({ game, view, places, before, spots }) {
  const seats = [...new Set(places.lanes.map(({ seat }) => seat))].sort((one, other) => Number(one === game.seat) - Number(other === game.seat));
  return h("div", { className: "lanes" }, indices(places.lanes).map(index => {
    const rows = seats.flatMap(seat => places.lanes.filter(zone => zone.seat === seat && zone.index === index));
    return h("div", { className: "lane", key: `lane ${index}` },
      h("p", { className: "zone-name", "aria-hidden": "true" }, [...new Set(rows.map(({ words }) => words))].join(t("comma"))),
      rows.map(zone => h("div", { className: "zone kind-row", key: `${zone.name} ${zone.seat}`, role: "group", "aria-label": zoneOfSeat(game, zone) },
        drawCards(zone, before, spots),
        drawShortFacts(factsAtIndex(view, index, zone.seat)),
        drawSpotArea(spots, zoneSpot(zone), zoneName(zone)))),
      drawShortFacts(factsAtIndex(view, index)));
  }));
}

/** @param {Zone[]} zones */
function indices(zones) {
  return [...new Set(zones.map(({ index }) => index))];
}

/** "Mina: played". @param {import("../base/api.js").Game} game @param {Zone} zone */
function zoneOfSeat(game, zone) {
  return `${seatName(game, zone.seat ?? 0)}${t("colon")}${zone.words}`;
}
