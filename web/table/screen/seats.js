// @ts-check
/**
 * The seats: name, state, time and zones of each.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").View} View
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {object} ScreenState
 * @property {Game} game
 * @property {View} view
 * @property {import("../../cards/zones/zone_layout.js").Places} places
 * @property {import("../../cards/zones/fresh_cards.js").TableBefore | null} before  What has changed since then is marked.
 * @property {Zone[]} panelZones  The user's zones that are drawn in the bottom panel.
 * @property {import("../../talk/talk.js").Talk} talk
 * @property {import("../../cards/zones/spots.js").Spots | null} spots  What on the table can be chosen.
 * @property {import("../choosing/table_spots.js").TableSpots | null} pointing  Where the spots come from; null: nothing can be chosen.
 * @property {import("../choosing/foresight.js").Foreseen} changes  What the action that is ready will change.
 * @property {import("../choosing/sealed_choices.js").Sealed} sealed  The choices that are not open yet.
 * @property {Pick<import("../fit/strips.js").Strips, "has" | "toggle"> | null} opened  The seats of others that are open where they are strips; null: there are no strips.
 */

import { h, svg } from "../../base/dom.js";
import { seatName } from "../../base/game.js";
import { drawIcon } from "../../base/icons.js";
import { drawSeatMark, seatClass } from "../../base/seat_marks.js";
import { t } from "../../base/words.js";
import { drawLoads } from "../../cards/areas/load.js";
import { beforeSeat, drawSeatFacts } from "../../cards/areas/seat_panel.js";
import { cardCode, drawCard } from "../../cards/card.js";
import { freshPositions } from "../../cards/zones/fresh_cards.js";
import { drawSpotArea, seatSpot } from "../../cards/zones/spots.js";
import { drawZone, zoneName } from "../../cards/zones/zone.js";
import { isHidden } from "../../cards/zones/zone_layout.js";
import { drawPersonName } from "../../talk/person_menu.js";
import { drawDue, formatDueTime } from "../../time/deadlines.js";
import { ALL_OPEN } from "../fit/strips.js";
import { shownWait } from "./status_line.js";

/** The most cards of a zone that fit on half a phone. */
const WIDE = 5;

/** The seats of others, or all after the end; two abreast on a phone if there is room. @param {ScreenState} screen @param {number[]} seats */
export function drawOthers(screen, seats) {
  const wide = seats.some(seat => screen.places.of(seat).some(zone => !isHidden(zone) && zone.kind !== "pile" && zone.count > WIDE));
  const narrow = seats.length > 1 && !wide;
  return h("div", { className: narrow ? "others abreast" : "others" }, seats.map(seat => drawSeat(screen, seat)));
}

/** @param {ScreenState} screen @param {number} seat */
export function drawSeat(screen, seat) {
  const { game, view, places, before, panelZones, talk, opened, spots } = screen;
  const loads = drawLoads(screen, seat).filter(Boolean);
  const who = game.seats.find(each => each.seat === seat);
  const mine = seat === game.seat;
  const wait = game.waiting.find(each => each.seat === seat);
  const zones = places.of(seat).filter(zone => !panelZones.includes(zone));
  const hidden = zones.filter(zone => isHidden(zone) && !(game.result && zone.count === 0));
  const [lying, open] = beforeSeat(places, zones.filter(zone => !isHidden(zone)));
  const waiting = who?.waiting && !game.result;
  const strip = mine ? null : opened;
  const laid = screen.sealed.laid.get(seat) ?? [];
  const placed = laid.filter(cardCode);
  const [turned, covered] = [true, false].map(isOpen => placed.length > 0 && isOpen === (screen.sealed.open ?? false) && drawPlaced(placed, isOpen));
  const news = strip && [...lying, ...open].some(zone => freshPositions(zone, before).size > 0);
  const fold = strip && strip !== ALL_OPEN && h("button", { type: "button", className: "plain fold", key: "fold", "aria-expanded": strip.has(seat), "aria-label": t(news ? "seat.fold.news" : "seat.fold", { name: seatName(game, seat) }), onclick: () => strip.toggle(seat) },
    drawIcon("M7 10l5 5l5-5"));
  return h("section", { className: `seat ${seatClass(seat)}${mine ? " mine" : ""}${waiting ? " waiting" : ""}${strip ? " strip" : ""}${news ? " news" : ""}${strip?.has(seat) ? " opened" : ""}`, key: `seat ${seat}`, "aria-label": seatName(game, seat) },
    h("header", {},
      h("h2", {}, drawSeatMark(seat), who && drawPersonName(talk, game, who), mine && h("span", { className: "tag" }, t("seat.you"))),
      hidden.map(drawHandCount),
      waiting && !mine && h("span", { className: "tag turn" }, t("seat.waiting")),
      !game.paused && wait?.due !== shownWait(game)?.due && drawDue(wait), // unless the status line shows the same
      drawAway(who),
      who?.unreachable && !mine && h("span", { className: "tag unreachable", title: t("seat.unreachable") }, t("seat.unreachable")),
      view.committed.includes(seat) && !screen.sealed.open && !screen.sealed.known.get(seat)?.length && drawCommitted(laid),
      drawSeatFacts(screen, seat),
      fold),
    (lying.length > 0 || turned) && h("div", { className: "zones before", key: "before" }, turned, lying.map(zone => drawZone(zone, before, spots))),
    (open.length > 0 || loads.length > 0 || covered) && h("div", { className: "zones" }, loads, covered, open.map(zone => drawZone(zone, before, spots))),
    drawSpotArea(spots, seatSpot(seat), seatName(game, seat)));
}

/** The end of a vacation that is under way. @param {import("../../base/api.js").Seat | undefined} who */
function drawAway(who) {
  const now = Date.now();
  if (!who?.away || Date.parse(who.away.begins_at) > now || Date.parse(who.away.ends_at) < now) return null;
  return h("span", { className: "tag" }, t("seat.away", { time: formatDueTime(who.away.ends_at) }));
}

/** That a seat has chosen, with what lies face down before it. @param {import("../../base/api.js").Face[]} laid */
function drawCommitted(laid) {
  return h("span", { className: laid.length ? "committed laid" : "committed tag" }, laid.map(face => drawLittleBack(face !== null)), h("span", { className: "check", "aria-hidden": "true" }, "✓ "), h("span", {}, t("seat.committed")));
}

/** Sealed cards that the user knows: they lie face down for others, until they are opened. @param {import("../../base/api.js").Face[]} cards @param {boolean} open */
function drawPlaced(cards, open) {
  return h("div", { className: "zone kind-row placed", key: "placed", role: "group", "aria-label": t(open ? "seat.opened" : "seat.committed") },
    h("ul", { className: "cards" }, cards.map(card => h("li", { className: open ? null : "ghost", key: cardCode(card) ?? "" }, drawCard(card)))));
}

/** The number of cards in a hidden hand. @param {Zone} zone */
function drawHandCount(zone) {
  return h("span", { className: "hand-count", role: "img", "aria-label": zoneName(zone) }, drawLittleBack(), zone.then === undefined ? zone.count : h("b", { className: "foreseen" }, `${zone.count} → ${zone.then}`));
}

/** @param {boolean} [several]  of a stack */
function drawLittleBack(several = false) {
  return svg("svg", { className: "little-back", viewBox: several ? "0 0 12 14" : "0 0 10 14", "aria-hidden": "true" },
    several && svg("path", { d: "M2.2 13.3H10A1.2 1.2 0 0 0 11.3 12V2" }),
    svg("rect", { x: 0.7, y: 0.7, width: 8.6, height: 12.6, rx: 1.2 }), svg("path", { d: "M1 5L9 12M1 9L5 13M2 1L9 8M6 1L9 4M9 2L1 9M9 7L3 13M5 1L1 5" }));
}
