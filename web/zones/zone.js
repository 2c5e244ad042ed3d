// @ts-check
/**
 * Zones on the table: name, count and cards.
 *
 * @typedef {import("../base/api.js").Zone} Zone
 * @typedef {import("./fresh_cards.js").TableBefore} TableBefore
 */

import { h } from "../base/dom.js";
import { t } from "../base/words.js";
import { cardCode, drawCard } from "../cards/card.js";
import { drawLine } from "./domino_line.js";
import { freshPositions, zoneKey } from "./fresh_cards.js";
import { drawGrid, drawLadder } from "./grid_and_ladder.js";

/**
 * A zone with its name.
 * @param {Zone} zone @param {TableBefore | null} before  cards that were not there yet are marked
 * @param {import("./grid_and_ladder.js").Spots | null} [spots]  how its places are picked
 * @param {string} [title]  the heading
 */
export function drawZone(zone, before, spots = null, title = zone.words) {
  const open = zone.cards !== undefined && zone.kind !== "pile";
  return h("div", { className: `zone kind-${zone.kind}`, key: zoneKey(zone), role: "group", "aria-label": zoneName(zone) },
    h("p", { className: "zone-name", "aria-hidden": "true" }, title, (!open || zone.count > 3) && h("span", { className: "count" }, zone.count)),
    open ? drawOpen(zone, before, spots) : drawPile(zone, before));
}

/** @param {Zone} zone @param {TableBefore | null} before @param {import("./grid_and_ladder.js").Spots | null} spots */
function drawOpen(zone, before, spots) {
  const fresh = freshPositions(zone, before);
  if (zone.kind === "grid") return drawGrid(zone, fresh, spots);
  if (zone.kind === "ladder") return drawLadder(zone, fresh);
  if (zone.kind === "line" && zone.count) return drawLine(zone, fresh);
  return drawCards(zone, before);
}

/** The cards of a zone side by side. @param {Zone} zone @param {TableBefore | null} before */
export function drawCards(zone, before) {
  const cards = zone.cards ?? [];
  const fresh = freshPositions(zone, before);
  if (!cards.length) return h("ul", { className: "cards" }, h("li", { className: "empty" }, drawCard({ is: ["vacant"] })));
  return h("ul", { className: "cards" }, cards.map((card, n) =>
    h("li", { key: `${cardCode(card)} ${n}` }, drawCard(card, fresh.has(n) ? ["fresh"] : []))));
}

/** A pile: its top visible card, or a back. A pile of several visible cards can be opened. @param {Zone} zone @param {TableBefore | null} before */
function drawPile(zone, before) {
  const cards = zone.cards ?? [];
  const seen = cards.filter(card => card !== null);
  const top = seen.at(-1) ?? null;
  const marks = [zone.count > 1 && "thick", freshPositions(zone, before).has(cards.lastIndexOf(top)) && "fresh"].filter(each => each !== false);
  if (seen.length < 2) return h("ul", { className: "cards" }, h("li", {}, drawCard(zone.count ? top : { is: ["vacant"] }, marks)));
  return h("details", {},
    h("summary", { "aria-label": t("zone.look", { zone: zoneName(zone) }) }, drawCard(top, marks)),
    drawCards(zone, before));
}

/** "Hand: 5 cards". @param {Zone} zone */
export function zoneName(zone) {
  return t("zone.count", { zone: zone.words, count: zone.count });
}
