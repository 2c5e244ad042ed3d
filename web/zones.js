// @ts-check
/**
 * Zones as they lie on the table.
 *
 * @typedef {import("./api.js").Zone} Zone
 * @typedef {import("./api.js").View} View
 * @typedef {import("./api.js").Face} Face
 * @typedef {{hand: Zone | undefined, table: Zone[], lanes: Zone[], of: (seat: number) => Zone[]}} Places
 */

import { codeOf, picture } from "./cards.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/**
 * Which zones belong where: my hand below, what has no seat in the middle, rows of two seats that face each other between
 * them, the rest with its seat.
 * @param {Zone[]} zones @param {number | null} me @returns {Places}
 */
export function arrange(zones, me) {
  const rows = zones.filter(({ seat, index }) => seat !== undefined && index !== undefined);
  const facing = new Set(rows.map(({ seat }) => seat)).size === 2;
  const lanes = facing ? rows : [];
  const hand = zones.find(({ kind, seat, cards }) => kind === "hand" && seat === me && cards !== undefined);
  return {
    hand,
    lanes,
    table: zones.filter(({ seat }) => seat === undefined),
    of: wanted => zones.filter(zone => zone.seat === wanted && zone !== hand && !lanes.includes(zone)),
  };
}

/** A zone with its name. @param {Zone} zone @param {View | null} before  what has come since then is marked */
export function drawZone(zone, before) {
  const open = zone.cards !== undefined && zone.kind !== "pile";
  return h("div", { className: `zone kind-${zone.kind}`, key: keyOf(zone), role: "group", "aria-label": nameOf(zone) },
    h("p", { className: "zone-name", "aria-hidden": "true" }, zone.words, (!open || zone.count > 3) && h("span", { className: "count" }, zone.count)),
    open ? drawCards(zone, before) : pile(zone, before));
}

/** The cards of a zone side by side. @param {Zone} zone @param {View | null} before */
export function drawCards(zone, before) {
  const cards = zone.cards ?? [];
  const fresh = freshIn(zone, before);
  if (!cards.length) return h("ul", { className: "cards" }, h("li", { className: "room" }, picture({ is: ["vacant"] })));
  return h("ul", { className: "cards" }, cards.map((card, n) =>
    h("li", { key: `${codeOf(card)} ${n}` }, picture(card, fresh.has(n) ? ["fresh"] : []))));
}

/** A pile: its top card or a back; what can be looked through opens. @param {Zone} zone @param {View | null} before */
function pile(zone, before) {
  const top = zone.cards?.at(-1);
  if (!zone.cards || zone.count < 2) {
    const card = zone.count ? (top ?? null) : { is: ["vacant"] };
    return h("ul", { className: "cards" }, h("li", {}, picture(card, zone.count > 1 ? ["thick"] : [])));
  }
  return h("details", {},
    h("summary", { "aria-label": t("zone.look", { zone: nameOf(zone) }) }, picture(top ?? null, ["thick"])),
    drawCards(zone, before));
}

/** "Hand: 5 cards". @param {Zone} zone */
function nameOf(zone) {
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
