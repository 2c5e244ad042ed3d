// @ts-check
/** A card that the user has drawn and that still lies at its place: it is shown again beside the cards that it may join. */

import { h } from "../base/dom.js";
import { t } from "../base/words.js";
import { cardCode, drawCard } from "../cards/card.js";

/** @param {import("../base/api.js").View} view @param {import("../zones/zone_layout.js").Places} places @param {number | null} seat */
export function drawDrawn(view, { areas }, seat) {
  return areas.filter(({ kind }) => kind === "drawn").map(({ lying: [zone], facts }) => {
    const at = view.facts.find(({ name, of }) => name === facts.at && of === seat)?.value;
    const card = zone?.cards?.[Number(at)];
    if (at === undefined || card === undefined || cardCode(card) === null) return null;
    return h("section", { className: "hand drawn-card", key: "drawn", "aria-label": t("drawn") },
      h("header", {}, h("p", { className: "zone-name", "aria-hidden": "true" }, t("drawn"))),
      h("ul", { className: "cards" }, h("li", {}, drawCard(card))));
  });
}
