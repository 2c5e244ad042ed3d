// @ts-check
/**
 * Who sits at the table, with what lies before them.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").View} View
 * @typedef {import("./api.js").Zone} Zone
 * @typedef {object} Scene
 * @property {Game} game
 * @property {View} view
 * @property {import("./layout.js").Places} places
 * @property {View | null} before  What came since then is marked.
 * @property {Zone[]} docked  Zones of mine that are drawn below.
 * @property {import("./talk.js").Talk} talk
 * @property {import("./grid.js").Spots | null} spots  How places on the table are chosen.
 */

import { h, svg } from "./dom.js";
import { dueOf } from "./due.js";
import { brief, ofSeat } from "./facts.js";
import { isHidden } from "./layout.js";
import { personName } from "./person.js";
import { moment } from "./time.js";
import { t } from "./words.js";
import { drawZone, nameOf } from "./zones.js";

/** Cards of one zone that are too many for half a phone. */
const WIDE = 5;

/** What somebody at the table is called. @param {Game} game @param {number} seat */
export function seatName(game, seat) {
  return game.seats.find(each => each.seat === seat)?.name ?? "";
}

/** The seats of others, or after the end all; on a phone two share a line if there is room. @param {Scene} scene @param {number[]} seats */
export function drawOthers(scene, seats) {
  const wide = seats.some(seat => scene.places.of(seat).some(zone => !isHidden(zone) && zone.kind !== "pile" && zone.count > WIDE));
  const narrow = seats.length > 1 && !wide;
  return h("div", { className: narrow ? "others pairs" : "others" }, seats.map(seat => drawSeat(scene, seat)));
}

/** One seat: its name, its state, and what lies before it. @param {Scene} scene @param {number} seat */
export function drawSeat({ game, view, places, before, docked, talk }, seat) {
  const who = game.seats.find(each => each.seat === seat);
  const mine = seat === game.seat;
  const zones = places.of(seat).filter(zone => !docked.includes(zone));
  const hidden = zones.filter(zone => isHidden(zone) && !(game.result && zone.count === 0));
  const open = zones.filter(zone => !isHidden(zone));
  return h("section", { className: `seat${mine ? " mine" : ""}${who?.waiting ? " waiting" : ""}`, key: `seat ${seat}`, "aria-label": who?.name },
    h("header", {},
      h("h2", {}, who && personName(talk, game, who), mine && h("span", { className: "tag" }, t("seat.you"))),
      hidden.map(handCount),
      who?.waiting && h("span", { className: "tag turn" }, t(mine ? "turn.yours" : "seat.waiting")),
      !game.paused && dueOf(game.waiting.find(wait => wait.seat === seat)),
      away(who),
      view.committed.includes(seat) && h("span", { className: "tag" }, "✓ ", t("seat.committed")),
      !game.result && brief(ofSeat(view, places, seat))),
    open.length > 0 && h("div", { className: "zones" }, open.map(zone => drawZone(zone, before))));
}

/** Somebody who is on vacation now. @param {import("./api.js").Seat | undefined} who */
function away(who) {
  const now = Date.now();
  if (!who?.away || Date.parse(who.away.begins_at) > now || Date.parse(who.away.ends_at) < now) return null;
  return h("span", { className: "tag" }, t("seat.away", { time: moment(who.away.ends_at) }));
}

/** A hand that is not seen: how many cards. @param {Zone} zone */
function handCount(zone) {
  const back = svg("svg", { className: "little-back", viewBox: "0 0 10 14", "aria-hidden": "true" },
    svg("rect", { x: 0.7, y: 0.7, width: 8.6, height: 12.6, rx: 1.2 }), svg("path", { d: "M1 5L9 12M1 9L5 13M2 1L9 8M6 1L9 4M9 2L1 9M9 7L3 13M5 1L1 5" }));
  return h("span", { className: "hand-count", role: "img", "aria-label": nameOf(zone) }, back, zone.count);
}
