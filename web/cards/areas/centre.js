// @ts-check
/** What each seat has laid, around a centre: the user's own below, the others clockwise from the left. Who leads is marked; what was led stands in the centre. */

import { h } from "../../base/dom.js";
import { drawSeatMark, seatClass } from "../../base/seat_marks.js";
import { t } from "../../base/words.js";
import { drawCards, drawZone } from "../zones/zone.js";
import { factOf, zoneOfSeat } from "./indices.js";

/** Where the others sit, by their number. @type {string[][]} */
const SIDES = [[], ["left"], ["left", "right"], ["left", "far", "right"]];

/** @param {import("./middle.js").Laid} laid @param {import("../zones/zone_layout.js").Part} part */
export function drawCentre({ game, view, before, spots }, part) {
  const laid = part.lying.filter(({ seat }) => seat !== undefined);
  const middle = part.lying.filter(({ seat, count }) => seat === undefined && count > 0);
  if (!laid.length) return middle.length > 0 && h("div", { className: "zones", key: "centre" }, middle.map(zone => drawZone(zone, before, spots)));
  const seats = laid.map(({ seat }) => seat ?? 0);
  const lead = leaderOf(view, part, seats, laid);
  const led = part.facts.led && view.prompt?.[part.facts.led];
  const won = factOf(view, part, "won")?.seat;
  return h("div", { className: `centre of-${laid.length}`, key: "centre" },
    laid.map(zone => h("div", { className: `zone kind-trick ${seatClass(zone.seat ?? 0)} at-${sideOf(zone.seat ?? 0, seats, game.seat)}${zone.seat === won ? " best" : ""}`, key: `${zone.name} ${zone.seat}`, role: "group", "aria-label": zoneOfSeat(game, zone) },
      h("div", { className: "whose" }, drawSeatMark(zone.seat ?? 0), h("p", { className: "zone-name", title: nameOf(game, zone.seat ?? 0) }, zone.seat === lead && h("span", { className: "leads", role: "img", "aria-label": t("centre.leads"), title: t("centre.leads") }, "▸\u00a0"), nameOf(game, zone.seat ?? 0))),
      drawCards(zone, before, spots),
      drawNumber(factOf(view, part, "number", { seat: zone.seat }), zone))),
    h("div", { className: "heart", key: "heart" },
      middle.map(zone => drawZone(zone, before, spots)),
      typeof led === "string" && h("p", { className: "led" }, t("centre.led", { suit: t(`suit.${led}`) }))));
}

/** What is laid counts as, where cards lie. @param {import("../../base/api.js").Fact | null} fact @param {import("../../base/api.js").Zone} zone */
function drawNumber(fact, { count }) {
  return fact && count > 0 && h("p", { className: "counts-as", role: "img", "aria-label": fact.words, title: fact.words }, `= ${fact.value}`);
}

/** Alone: that somebody is a program is said at the seat. @param {import("../../base/api.js").Game} game @param {number} seat */
function nameOf({ seats }, seat) {
  return seats.find(each => each.seat === seat)?.name;
}

/** @param {number} seat @param {number[]} seats @param {number | null} mine */
function sideOf(seat, seats, mine) {
  const near = seats.indexOf(mine ?? seats[0]);
  const after = (seats.indexOf(seat) - near + seats.length) % seats.length;
  return after === 0 ? "near" : (SIDES[seats.length - 1]?.[after - 1] ?? "far");
}

/**
 * Who leads: as a fact says, or where cards go round, whoever has laid one before anybody sitting in front of them.
 * @param {import("../../base/api.js").View} view @param {import("../zones/zone_layout.js").Part} part @param {number[]} seats @param {import("../../base/api.js").Zone[]} laid
 */
function leaderOf(view, part, seats, laid) {
  const told = factOf(view, part, "lead");
  if (told) return told.seat;
  if (!part.facts.led) return null;
  const first = laid.filter(({ count }, n) => count > 0 && laid.at(n - 1)?.count === 0);
  return first.length === 1 ? first[0].seat : null;
}
