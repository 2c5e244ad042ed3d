// @ts-check
/**
 * Who sits at the table, with what lies before them.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").View} View
 * @typedef {import("./api.js").Zone} Zone
 * @typedef {import("./api.js").Fact} Fact
 * @typedef {{game: Game, view: View, places: import("./zones.js").Places, before: View | null}} Scene
 */

import { h, svg } from "./dom.js";
import { drawCards, drawZone } from "./zones.js";
import { t } from "./words.js";

/** What somebody at the table is called. @param {Game} game @param {number} seat */
export function seatName(game, seat) {
  return game.seats.find(each => each.seat === seat)?.name ?? "";
}

/** One seat: its name, its state, and what lies before it. @param {Scene} scene @param {number} seat */
export function drawSeat({ game, view, places, before }, seat) {
  const who = game.seats.find(each => each.seat === seat);
  const mine = seat === game.seat;
  const zones = places.of(seat);
  const hidden = zones.filter(({ kind, cards }) => kind === "hand" && !cards);
  return h("section", { className: `seat${mine ? " mine" : ""}${who?.waiting ? " waiting" : ""}`, key: `seat ${seat}`, "aria-label": who?.name },
    h("header", {},
      h("h2", {}, h("span", { className: "name" }, who?.name), mine && h("span", { className: "tag" }, t("seat.you"))),
      hidden.map(handCount),
      who?.waiting && h("span", { className: "tag turn" }, t(mine ? "turn.yours" : "seat.waiting")),
      view.committed.includes(seat) && h("span", { className: "tag" }, "✓ ", t("seat.committed")),
      facts(view.facts.filter(fact => fact.of === seat && (fact.index === undefined || !places.lanes.length)))),
    side(zones.filter(zone => !hidden.includes(zone)), before));
}

/** The middle: what belongs to nobody, and rows that face each other. @param {Scene} scene */
export function drawMiddle({ game, view, places, before }) {
  const common = view.facts.filter(fact => fact.of === undefined && (fact.index === undefined || !places.lanes.length));
  if (!places.table.length && !places.lanes.length && !common.length) return null;
  return h("section", { className: "middle", key: "middle", "aria-label": t("table.middle") },
    facts(common),
    side(places.table, before),
    places.lanes.length > 0 && drawLanes({ game, view, places, before }));
}

/** @param {Scene} scene */
function drawLanes({ game, view, places, before }) {
  const indices = [...new Set(places.lanes.map(({ index }) => index))];
  const seats = [...new Set(places.lanes.map(({ seat }) => seat))].sort((one, other) => Number(one === game.seat) - Number(other === game.seat));
  return h("div", { className: "lanes" }, indices.map(index => {
    const rows = seats.flatMap(seat => places.lanes.filter(zone => zone.seat === seat && zone.index === index));
    return h("div", { className: "lane", key: `lane ${index}` },
      h("p", { className: "zone-name", "aria-hidden": "true" }, [...new Set(rows.map(({ words }) => words))].join(t("comma"))),
      rows.map(zone => h("div", { className: "zone kind-row", key: `${zone.name} ${zone.seat}`, role: "group", "aria-label": `${seatName(game, zone.seat ?? 0)}${t("colon")}${zone.words}` },
        drawCards(zone, before),
        facts(view.facts.filter(fact => fact.of === zone.seat && fact.index === index)))),
      facts(view.facts.filter(fact => fact.of === undefined && fact.index === index)));
  }));
}

/** Zones side by side; a few share one line. @param {Zone[]} zones @param {View | null} before */
function side(zones, before) {
  return zones.length > 0 && h("div", { className: `zones zones-${zones.length}` }, zones.map(zone => drawZone(zone, before)));
}

/** @param {Fact[]} list */
function facts(list) {
  return list.length > 0 && h("ul", { className: "facts" }, list.map(fact => h("li", {}, fact.short ?? fact.words)));
}

/** A hand that is not seen: how many cards. @param {Zone} zone */
function handCount(zone) {
  const back = svg("svg", { className: "little-back", viewBox: "0 0 10 14", "aria-hidden": "true" },
    svg("rect", { x: 0.7, y: 0.7, width: 8.6, height: 12.6, rx: 1.2 }), svg("path", { d: "M1 5L9 12M1 9L5 13M2 1L9 8M6 1L9 4M9 2L1 9M9 7L3 13M5 1L1 5" }));
  return h("span", { className: "hand-count", role: "img", "aria-label": t("zone.count", { zone: zone.words, count: zone.count }) }, back, zone.count);
}
