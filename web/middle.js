// @ts-check
/**
 * The middle of the table: what belongs to nobody, what everybody lays there, and rows that face each other.
 *
 * @typedef {import("./seats.js").Scene} Scene
 * @typedef {import("./api.js").Zone} Zone
 */

import { h } from "./dom.js";
import { atIndex, brief, common, sentences } from "./facts.js";
import { seatName } from "./seats.js";
import { language, t } from "./words.js";
import { drawCards, drawZone } from "./zones.js";

/** @param {Scene} scene */
export function drawMiddle(scene) {
  const { game, view, places, before, spots } = scene;
  const facts = game.result ? [] : common(view, places);
  const zones = [...places.table, ...places.columns, ...places.lanes, ...places.trick];
  if (!zones.length && !facts.length) return null;
  return h("section", { className: "middle", key: "middle", "aria-label": t("table.middle") },
    sentences(facts),
    places.trick.length > 0 && drawTrick(scene),
    places.columns.length > 0 && drawColumns(scene),
    places.table.length > 0 && h("div", { className: "zones" }, places.table.map(zone => drawZone(zone, before, spots))),
    places.lanes.length > 0 && drawLanes(scene));
}

/** What each seat has laid, with its name. @param {Scene} scene */
function drawTrick({ game, places, before }) {
  return h("div", { className: "trick" }, places.trick.map(zone =>
    h("div", { className: "zone kind-trick", key: `${zone.name} ${zone.seat}`, role: "group", "aria-label": whose(game, zone) },
      h("p", { className: "zone-name", "aria-hidden": "true" }, seatName(game, zone.seat ?? 0)),
      drawCards(zone, before))));
}

/** Zones that are alike: rows beneath each other, piles side by side. @param {Scene} scene */
function drawColumns({ view, places, before }) {
  const lines = places.columns.every(({ kind }) => kind === "row");
  return h("div", { className: lines ? "lines" : "columns" }, indices(places.columns).map(index => {
    const zones = places.columns.filter(zone => zone.index === index);
    const title = zones.length > 1 ? beginning(zones.map(({ words }) => words)) : "";
    return h("div", { className: "column", key: `column ${index}` },
      title && h("p", { className: "column-name", "aria-hidden": "true" }, title.replace(/[\s\p{P}]+$/u, "")),
      zones.map(zone => drawZone(zone, before, null, zone.words.slice(title.length))),
      brief(atIndex(view, index)));
  }));
}

/** The words that all these names begin with: they are written but once. @param {string[]} names */
function beginning(names) {
  const [first, ...others] = names.map(name => [...new Intl.Segmenter(language(), { granularity: "word" }).segment(name)].map(({ segment }) => segment));
  const end = first.findIndex((word, n) => others.some(other => other[n] !== word));
  return first.slice(0, Math.max(end, 0)).join("");
}

/** @param {Scene} scene */
function drawLanes({ game, view, places, before }) {
  const seats = [...new Set(places.lanes.map(({ seat }) => seat))].sort((one, other) => Number(one === game.seat) - Number(other === game.seat));
  return h("div", { className: "lanes" }, indices(places.lanes).map(index => {
    const rows = seats.flatMap(seat => places.lanes.filter(zone => zone.seat === seat && zone.index === index));
    return h("div", { className: "lane", key: `lane ${index}` },
      h("p", { className: "zone-name", "aria-hidden": "true" }, [...new Set(rows.map(({ words }) => words))].join(t("comma"))),
      rows.map(zone => h("div", { className: "zone kind-row", key: `${zone.name} ${zone.seat}`, role: "group", "aria-label": whose(game, zone) },
        drawCards(zone, before),
        brief(atIndex(view, index, zone.seat)))),
      brief(atIndex(view, index)));
  }));
}

/** @param {Zone[]} zones */
function indices(zones) {
  return [...new Set(zones.map(({ index }) => index))];
}

/** "Mina: played". @param {import("./api.js").Game} game @param {Zone} zone */
function whose(game, zone) {
  return `${seatName(game, zone.seat ?? 0)}${t("colon")}${zone.words}`;
}
