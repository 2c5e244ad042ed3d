// @ts-check
/** Places from the highest down, as steps, beside what has no place yet. */

import { h } from "../../base/dom.js";
import { drawZone } from "../zones/zone.js";

/** @param {import("./middle.js").Laid} laid @param {import("../zones/zone_layout.js").Part} part */
export function drawLadderArea({ before, spots }, part) {
  const [ladder, ...rest] = part.zones.flatMap(name => part.lying.filter(zone => zone.name === name));
  if (!ladder) return null;
  return h("div", { className: "ladder-area zones", key: "ladder" }, drawZone(ladder, before, spots), rest.filter(({ count }) => count > 0).map(zone => drawZone(zone, before, spots)));
}
