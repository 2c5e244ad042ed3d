// @ts-check
/** Rows of two seats that face one another: what each is worth stands at the line between them, beside its direction; a lane that is taken says by whom. */

import { h, svg } from "../../base/dom.js";
import { colourCards, t } from "../../base/words.js";
import { drawShortFacts, factsAtIndex } from "../zones/facts.js";
import { drawSpotArea, zoneSpot } from "../zones/spots.js";
import { drawCards, zoneName } from "../zones/zone.js";
import { factOf, indices, zoneOfSeat } from "./indices.js";

/** @type {Record<string, string>} */
const ARROWS = { up: "↑", down: "↓" };

/** @param {import("./middle.js").Laid} laid @param {import("../zones/zone_layout.js").Part} part */
export function drawLanes(laid, part) {
  const { game, view } = laid;
  const seats = [...new Set(part.lying.map(({ seat }) => seat))].sort((one, other) => Number(one === game.seat) - Number(other === game.seat));
  return h("div", { className: "lanes", key: "lanes" }, indices(part.lying).map(index => {
    const [far, near] = seats.map(seat => part.lying.find(zone => zone.seat === seat && zone.index === index));
    const taken = factOf(view, part, "taken", { index });
    const bare = taken && !far?.count && !near?.count;
    return h("div", { className: `lane${taken ? " taken" : ""}${bare ? " bare" : ""}`, key: `lane ${index}` },
      h("p", { className: "zone-name", "aria-hidden": "true" }, [...new Set([far, near].map(zone => zone?.words))].join(t("comma"))),
      far && !bare && drawRow(laid, part, far, "far"),
      taken ? h("p", { className: "taken-by", title: taken.words }, colourCards(taken.short ?? taken.words)) : h("hr"),
      near && !bare && drawRow(laid, part, near, "near"));
  }));
}

/** @param {import("./middle.js").Laid} laid @param {import("../zones/zone_layout.js").Part} part @param {import("../../base/api.js").Zone} zone @param {"far" | "near"} side */
function drawRow({ game, view, before, spots }, part, zone, side) {
  const cards = h("div", { className: "lane-cards" }, drawCards(zone, before, spots));
  const worth = drawWorth(view, part, zone);
  return h("div", { className: `zone kind-row ${side}`, key: `${zone.name} ${zone.seat}`, role: "group", "aria-label": zoneOfSeat(game, zone) },
    side === "far" ? [cards, worth] : [worth, cards],
    drawSpotArea(spots, zoneSpot(zone), zoneName(zone)));
}

/** Where a row stands towards what it can be sold for, and that it is so now. @param {import("../zones/zone_layout.js").Part} part @param {import("../../base/api.js").Fact} total @param {import("../../base/api.js").Fact | null} ready */
function drawSale({ numbers: { least, most } = {} }, total, ready) {
  if (!least || !most) return null;
  const value = Math.min(Number.parseInt(String(total.value), 10), most + 2);
  return svg("svg", { className: ready ? "sale ready" : "sale", viewBox: `0 0 ${(most + 4) * 2} 12`, "aria-hidden": "true" },
    svg("rect", { className: "all", x: 2, y: 4, width: (most + 2) * 2, height: 4, rx: 2 }),
    svg("rect", { className: "goal", x: least * 2, y: 2, width: (most - least + 1) * 2, height: 8, rx: 1 }),
    svg("path", { className: "at", d: `M${value * 2 + 1} 0l4 6l-4 6l-4 -6z` }));
}

/** What a row is worth and where it goes; in words for screen readers. @param {import("../../base/api.js").View} view @param {import("../zones/zone_layout.js").Part} part @param {import("../../base/api.js").Zone} zone */
function drawWorth(view, part, zone) {
  if (!("total" in part.facts)) return h("div", { className: "worth" }, drawShortFacts(factsAtIndex(view, zone.index, zone.seat)));
  const [total, way] = ["total", "way"].map(each => factOf(view, part, each, zone));
  const ready = factOf(view, part, "ready", zone);
  const said = [total, way, ready].flatMap(fact => (fact ? [fact.short ?? fact.words] : [])).join(t("comma"));
  return h("p", { className: "worth", role: said ? "img" : null, "aria-label": said || null, title: said || null },
    total && drawSale(part, total, factOf(view, part, "ready", zone)),
    total && h("b", { className: total.foreseen ? "foreseen" : null }, String(total.value)), way && h("span", { className: "way" }, ARROWS[String(way.value)] ?? way.short));
}
