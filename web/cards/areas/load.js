// @ts-check
/** What a seat has stored, with its total, beside what it is stored against. */

import { h } from "../../base/dom.js";
import { zoneSpot } from "../zones/spots.js";
import { cardCode } from "../card.js";
import { drawZone } from "../zones/zone.js";
import { factOf } from "./indices.js";
import { drawMeter } from "./track.js";

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
        total && drawHeld(part, total, against, stored),
        h("div", { className: "zones" }, stored.map(zone => drawZone(zone, before, spots)))));
  });
}

/** How much of what can be held is stored, as far as what it is stored against is seen. @param {import("../zones/zone_layout.js").Part} part @param {import("../../base/api.js").Fact} total @param {import("../../base/api.js").Zone[]} against @param {import("../../base/api.js").Zone[]} stored */
function drawHeld({ numbers = {} }, total, against, stored) {
  const card = against.flatMap(({ cards = [] }) => cards).map(cardCode).find(code => code !== null && code[0] in numbers);
  const more = stored.reduce((sum, { name, count }) => sum + (numbers[name] ?? 0) * count, 0);
  const most = (card ? numbers[card[0]] : Math.max(...Object.values(numbers))) + more;
  return most > 0 && drawMeter(Number.parseInt(String(total.value), 10), most, card !== undefined);
}
