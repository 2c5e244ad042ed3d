// @ts-check
/**
 * What stayed hidden to the end of a game, folded: the hands of others, and what would have come next from a stock.
 *
 * @typedef {import("../../base/api.js").Zone} Zone
 */

import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";
import { zoneOfSeat } from "../../cards/areas/indices.js";
import { drawCard } from "../../cards/card.js";
import { zoneKey } from "../../cards/zones/fresh_cards.js";

/** @param {import("../../base/api.js").Game} game @param {Zone[]} zones */
export function drawHidden(game, zones) {
  return h("details", { className: "hidden-cards", key: "hidden-cards" },
    h("summary", {}, t("scores.hidden")),
    zones.some(({ kind }) => kind === "pile") && h("p", { className: "soft small" }, t("scores.order")),
    zones.map(zone => h("section", { key: zoneKey(zone) },
      h("h3", {}, zone.seat === undefined ? zone.words : zoneOfSeat(game, zone)),
      h("p", { className: "cards-in-text" }, (zone.cards ?? []).map(card => drawCard(card))))));
}
