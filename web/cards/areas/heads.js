// @ts-check
/** Columns headed by their first card, which the cards below it add up against. */

import { h } from "../../base/dom.js";
import { drawSpotArea, zoneSpot } from "../zones/spots.js";
import { drawCards, zoneName } from "../zones/zone.js";
import { factOf } from "./indices.js";
import { drawMeter } from "./track.js";

/** @param {import("./middle.js").Laid} laid @param {import("../zones/zone_layout.js").Part} part */
export function drawHeads({ view, before, spots }, part) {
  if (part.lying.every(({ count }) => count === 0)) return null;
  return h("div", { className: "heads", key: "heads" }, part.lying.map(zone => {
    const total = factOf(view, part, "total", zone);
    return h("div", { className: "zone kind-row head-column", key: `${zone.name} ${zone.index}`, role: "group", "aria-label": zoneName(zone) },
      h("p", { className: "zone-name", "aria-hidden": "true" }, zone.words),
      h("p", { className: total?.foreseen ? "head-total foreseen" : "head-total" }, total?.short ?? " "),
      total && part.facts.of && drawMeter(Number.parseInt(String(total.value), 10), Number(total[part.facts.of])),
      drawCards(zone, before, spots),
      drawSpotArea(spots, zoneSpot(zone), zoneName(zone)));
  }));
}
