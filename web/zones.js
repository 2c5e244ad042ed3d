// @ts-check
/**
 * Zones as they lie on the table.
 *
 * @typedef {import("./api.js").Zone} Zone
 * @typedef {import("./api.js").View} View
 */

import { codeOf, picture } from "./cards.js";
import { h } from "./dom.js";
import { drawGrid, drawLadder } from "./grid.js";
import { drawLine } from "./line.js";
import { t } from "./words.js";

/**
 * A zone with its name.
 * @param {Zone} zone @param {View | null} before  what has come since then is marked
 * @param {import("./grid.js").Spots | null} [spots]  how its places are chosen
 * @param {string} [title]  what is written above it
 */
export function drawZone(zone, before, spots = null, title = zone.words) {
  const open = zone.cards !== undefined && zone.kind !== "pile";
  return h("div", { className: `zone kind-${zone.kind}`, key: keyOf(zone), role: "group", "aria-label": nameOf(zone) },
    h("p", { className: "zone-name", "aria-hidden": "true" }, title, (!open || zone.count > 3) && h("span", { className: "count" }, zone.count)),
    open ? drawOpen(zone, before, spots) : pile(zone, before));
}

/** @param {Zone} zone @param {View | null} before @param {import("./grid.js").Spots | null} spots */
function drawOpen(zone, before, spots) {
  const fresh = freshIn(zone, before);
  if (zone.kind === "grid") return drawGrid(zone, fresh, spots);
  if (zone.kind === "ladder") return drawLadder(zone, fresh);
  if (zone.kind === "line" && zone.count) return drawLine(zone, fresh);
  return drawCards(zone, before);
}

/** The cards of a zone side by side. @param {Zone} zone @param {View | null} before */
export function drawCards(zone, before) {
  const cards = zone.cards ?? [];
  const fresh = freshIn(zone, before);
  if (!cards.length) return h("ul", { className: "cards" }, h("li", { className: "room" }, picture({ is: ["vacant"] })));
  return h("ul", { className: "cards" }, cards.map((card, n) =>
    h("li", { key: `${codeOf(card)} ${n}` }, picture(card, fresh.has(n) ? ["fresh"] : []))));
}

/** A pile: the top one of the cards that are seen, or a back; what can be looked through opens. @param {Zone} zone @param {View | null} before */
function pile(zone, before) {
  const seen = (zone.cards ?? []).filter(card => card !== null);
  const top = seen.at(-1) ?? null;
  if (seen.length < 2) {
    const card = zone.count ? top : { is: ["vacant"] };
    return h("ul", { className: "cards" }, h("li", {}, picture(card, zone.count > 1 ? ["thick"] : [])));
  }
  return h("details", {},
    h("summary", { "aria-label": t("zone.look", { zone: nameOf(zone) }) }, picture(top, ["thick"])),
    drawCards(zone, before));
}

/** "Hand: 5 cards". @param {Zone} zone */
export function nameOf(zone) {
  return t("zone.count", { zone: zone.words, count: zone.count });
}

/** @param {Zone} zone */
function keyOf({ name, seat, index }) {
  return [name, seat, index].join("/");
}

/** Which positions hold cards that were not in this zone before. @param {Zone} zone @param {View | null} before */
function freshIn(zone, before) {
  const was = before?.zones.find(each => keyOf(each) === keyOf(zone));
  const left = (was?.cards ?? []).map(codeOf);
  /** @type {Set<number>} */
  const fresh = new Set();
  if (!before) return fresh;
  (zone.cards ?? []).map(codeOf).forEach((code, n) => {
    const at = left.indexOf(code);
    if (code !== null && at < 0) fresh.add(n);
    else if (at >= 0) left.splice(at, 1);
  });
  return fresh;
}
