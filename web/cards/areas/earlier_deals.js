// @ts-check
/** What is over, such as earlier deals (the layout calls it "record"): the last entry in a line, all of them on touch. */

import { h } from "../../base/dom.js";
import { colourCards } from "../../base/words.js";

/** @param {import("./middle.js").Laid} laid @param {import("../zones/zone_layout.js").Part} part */
export function drawEarlierDeals({ view }, part) {
  const entries = view.facts.filter(({ name }) => name === part.facts.entry);
  if (!entries.length) return null;
  return h("details", { className: "record", key: "record" },
    h("summary", {}, colourCards(entries[entries.length - 1].words)),
    h("ol", {}, [...entries].reverse().map(({ words }) => h("li", {}, colourCards(words)))));
}
