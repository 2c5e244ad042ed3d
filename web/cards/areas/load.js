// @ts-check
/** What a seat has stored, with its total, beside what it is stored against. */

import { h } from "../../base/dom.js";
import { zoneSpot } from "../zones/spots.js";
import { drawZone } from "../zones/zone.js";
import { factOf } from "./indices.js";

/**
 * @param {import("./middle.js").Laid} laid @param {number} seat
 * @returns {import("../../base/dom.js").Child[]}
 */
export function drawLoads({ view, places, before, spots }, seat) {
  return places.areas.filter(({ kind }) => kind === "load").map(part => {
    const [stored, against] = [part.lying, part.beside].map(zones => zones.filter(zone => zone.seat === seat && (zone.count > 0 || spots?.spot(zoneSpot(zone)))));
    const total = factOf(view, part, "total", { seat });
    if (!stored.length && !against.length) return null;
    return h("div", { className: "load", key: "load" },
      h("div", { className: "against" }, against.map(zone => drawZone(zone, before, spots))),
      h("div", { className: "stored" },
        total && h("p", { className: total.foreseen ? "load-total foreseen" : "load-total" }, total.short ?? total.words),
        h("div", { className: "zones" }, stored.map(zone => drawZone(zone, before, spots)))));
  });
}
