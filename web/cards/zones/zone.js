// @ts-check
/**
 * Zones on the table: name, count and cards.
 *
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {import("./fresh_cards.js").TableBefore} TableBefore
 */

import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";
import { cardCode, cardMarks, cardName, drawCard, drawUnlabelledCard } from "../card.js";
import { drawLine } from "./domino_line.js";
import { freshPositions, zoneKey } from "./fresh_cards.js";
import { drawGrid, drawLadder } from "./grid_and_ladder.js";
import { choosable, drawCardSpot, drawGhost, drawPassedOver, drawSpot, drawSpotArea, gapSpot, zoneSpot } from "./spots.js";

/** The most cards that lie on one line of a phone with their indices free. */
const ONE_LINE = 20;

/**
 * A zone with its name.
 * @param {Zone} zone @param {TableBefore | null} before  cards that were not there yet are marked
 * @param {import("./spots.js").Spots | null} [spots]  what of it can be chosen
 * @param {string} [title]  the heading
 */
export function drawZone(zone, before, spots = null, title = zone.words) {
  const open = zone.cards !== undefined && zone.kind !== "pile";
  const counted = !open || zone.count > 3 || zone.then !== undefined;
  return h("div", { className: `zone kind-${zone.kind}`, key: zoneKey(zone), role: "group", "aria-label": zoneName(zone) },
    h("p", { className: "zone-name", "aria-hidden": "true" }, title, counted && drawCount(zone)),
    open ? drawOpen(zone, before, spots) : drawPile(zone, before, spots),
    drawSpotArea(spots, zoneSpot(zone), zoneName(zone)));
}

/** @param {Zone} zone @param {TableBefore | null} before @param {import("./spots.js").Spots | null} spots */
function drawOpen(zone, before, spots) {
  const fresh = freshPositions(zone, before);
  if (zone.kind === "grid") return drawGrid(zone, fresh, spots);
  if (zone.kind === "ladder") return drawLadder(zone, fresh, spots);
  if (zone.kind === "line" && zone.count) return drawLine(zone, fresh, spots);
  return drawCards(zone, before, spots);
}

/** The cards of a zone side by side. @param {Zone} zone @param {TableBefore | null} before @param {import("./spots.js").Spots | null} [spots] */
export function drawCards(zone, before, spots = null) {
  const cards = zone.cards ?? [];
  const fresh = freshPositions(zone, before);
  const coming = [drawGhost(spots, gapSpot(zone, cards.length)), drawGhost(spots, zoneSpot(zone))];
  if (!cards.length) return h("ul", { className: "cards" }, coming.some(Boolean) ? coming : h("li", { className: "empty" }, drawCard({ is: ["vacant"] })));
  return h("ul", { className: cards.length > ONE_LINE ? "cards long" : "cards" }, drawFirstGap(zone, spots), cards.map((card, n) => [
    n > 0 && drawGhost(spots, gapSpot(zone, n)),
    h("li", { className: cardMarks(card).includes("sealed") ? "ghost" : null, key: `${cardCode(card)} ${n}` }, drawOne(zone, card, n, fresh.has(n) ? ["fresh"] : [], spots))]), coming);
}

/** A card that can be chosen, by itself or for what is laid on it. @param {Zone} zone @param {import("../../base/api.js").Face} card @param {number} n @param {string[]} classes @param {import("./spots.js").Spots | null} spots */
function drawOne(zone, card, n, classes, spots) {
  const gap = gapSpot(zone, n + 1);
  const onIt = choosable(spots, gap);
  if (onIt) return drawSpot(gap, onIt, "card-spot", t("spot.on", { card: cardName(card) }), drawUnlabelledCard(card, classes));
  return drawCardSpot(spots, cardCode(card), card, classes) ?? drawPassive(zone, card, n, classes, spots);
}

/** A card that cannot be chosen. @param {Zone} zone @param {import("../../base/api.js").Face} card @param {number} n @param {string[]} classes @param {import("./spots.js").Spots | null} spots */
function drawPassive(zone, card, n, classes, spots) {
  if (!spots?.passesOver(zone, card)) return drawCard(card, classes);
  const face = [...classes, "not-now"];
  return spots.refuse ? drawPassedOver(spots, zone, card, n, "", cardName(card), drawUnlabelledCard(card, face)) : drawCard(card, face);
}

/** Where a card is put beneath all others. @param {Zone} zone @param {import("./spots.js").Spots | null} spots */
function drawFirstGap(zone, spots) {
  const gap = gapSpot(zone, 0);
  const spot = choosable(spots, gap);
  return [spot && h("li", { className: "gap", key: gap }, drawSpot(gap, spot, "gap-spot", t("spot.beneath"))), drawGhost(spots, gap)];
}

/** A pile: its top visible card, or a back. A pile of several visible cards can be opened. @param {Zone} zone @param {TableBefore | null} before @param {import("./spots.js").Spots | null} spots */
function drawPile(zone, before, spots) {
  const cards = zone.cards ?? [];
  const seen = cards.filter(card => card !== null);
  const top = seen.at(-1) ?? null;
  const marks = [zone.count > 1 && "thick", freshPositions(zone, before).has(cards.lastIndexOf(top)) && "fresh"].filter(each => each !== false);
  const ghost = drawGhost(spots, zoneSpot(zone));
  if (ghost) return h("ul", { className: "cards" }, ghost);
  if (seen.length < 2) return h("ul", { className: "cards" }, h("li", {}, drawCardSpot(spots, cardCode(top), top, marks) ?? drawPassive(zone, zone.count ? top : { is: ["vacant"] }, Math.max(0, zone.count - 1), marks, spots)));
  return h("details", {},
    h("summary", { "aria-label": t("zone.look", { zone: zoneName(zone) }) }, drawCard(top, spots?.passesOver(zone, top) ? [...marks, "not-now"] : marks)),
    drawCards(zone, before));
}

/** The number of its cards, and what it will be if the action that is ready is confirmed. @param {Zone} zone */
export function drawCount({ count, then }) {
  return then === undefined ? h("span", { className: "count" }, count) : h("span", { className: "count foreseen" }, `${count} → ${then}`);
}

/** "Hand: 5 cards". @param {Zone} zone */
export function zoneName(zone) {
  return t("zone.count", { zone: zone.words, count: zone.count });
}
