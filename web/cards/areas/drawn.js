// @ts-check
/** A card that the user has drawn and that still lies at its place: it is shown again beside the cards that it may join. */

import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";
import { cardCode, drawCard } from "../card.js";

/**
 * @typedef {import("../../base/api.js").View} View
 * @typedef {import("../zones/zone_layout.js").Places} Places
 * @typedef {import("../zones/zone_layout.js").Part} Part
 */

/** @param {View} view @param {Places} places @param {number | null} seat */
export function drawDrawn(view, places, seat) {
  return parts(places).map(part => {
    const card = drawnCard(view, part, seat);
    return card !== null && h("section", { className: "hand drawn-card", key: "drawn", "aria-label": t("drawn") },
      h("header", {}, h("p", { className: "zone-name", "aria-hidden": "true" }, t("drawn"))),
      h("ul", { className: "cards" }, h("li", {}, drawCard(card))));
  });
}

/**
 * The card that a value of a parameter means: the one that was drawn, or the one whose place it would take.
 * @param {View} view @param {Places} places @param {number | null} seat @param {import("../../base/api.js").Parameter} parameter @param {any} value @returns {string | null}
 */
export function cardMeant(view, places, seat, { spot }, value) {
  const part = parts(places).find(({ own }) => own === spot?.zone);
  const drawn = part && spot?.by === "drawn" ? drawnCard(view, part, seat) : null;
  if (!part || drawn === null || value === "drawn") return drawn;
  const alike = part.ranks?.find(ranks => ranks.includes(drawn[0])) ?? "";
  const mine = part.beside.filter(zone => zone.seat === seat).flatMap(({ cards = [] }) => cards.map(cardCode));
  return mine.find(code => code !== null && alike.includes(code[0])) ?? null;
}

/** @param {Places} places */
function parts({ areas }) {
  return areas.filter(({ kind }) => kind === "drawn");
}

/** @param {View} view @param {Part} part @param {number | null} seat */
function drawnCard({ facts }, { lying: [zone], facts: { at } }, seat) {
  const place = facts.find(({ name, of }) => name === at && of === seat)?.value;
  return place === undefined ? null : cardCode(zone?.cards?.[Number(place)] ?? null);
}
