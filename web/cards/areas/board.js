// @ts-check
/** Columns side by side, each with its piles, its price between them, and what the user holds of it. */

import { h } from "../../base/dom.js";
import { SUITS, t } from "../../base/words.js";
import { cardCode, drawCard } from "../card.js";
import { drawZone } from "../zones/zone.js";
import { commonPrefix, factOf, indices, withoutPrefix } from "./indices.js";

/** @param {import("./middle.js").Laid} laid @param {import("../zones/zone_layout.js").Part} part */
export function drawBoard({ game, view, before, spots }, part) {
  if (!part.lying.length) return null;
  const mine = part.beside.filter(({ seat }) => seat === game.seat);
  const names = new Set(part.lying.map(({ words }) => words));
  return h("div", { className: "board", key: `board ${part.zones[0]}` },
    names.size === 1 && h("p", { className: "zone-name", "aria-hidden": "true" }, [...names]),
    h("div", { className: "board-columns" }, indices(part.lying).map(index => {
      const zones = part.lying.filter(zone => zone.index === index);
      const title = zones.length > 1 ? commonPrefix(zones.map(({ words }) => words)) : "";
      const price = factOf(view, part, "price", { index });
      const worth = price && h("p", { className: price.foreseen ? "price foreseen" : "price", key: "price", role: "img", "aria-label": price.words, title: price.words }, String(price.value));
      const [first, ...rest] = zones.map(zone => drawZone({ ...zone, then: undefined }, before, spots, names.size === 1 ? "" : withoutPrefix(zone.words, title)));
      return h("div", { className: "board-column", key: `column ${index}` },
        title && h("p", { className: "column-name", "aria-hidden": "true" }, title),
        first, worth, rest,
        mine.length > 0 && drawOwn(mine, SUITS[index ?? 0]));
    })));
}

/** @param {import("../../base/api.js").Zone[]} mine @param {string} suit */
function drawOwn(mine, suit) {
  const held = mine.flatMap(({ cards = [] }) => cards).filter(card => cardCode(card)?.[1] === suit);
  return h("div", { className: "own", key: "own", role: "group", "aria-label": t("board.own", { zone: mine[0].words }) },
    held.length > 0 && [h("p", { className: "zone-name", "aria-hidden": "true" }, t("board.yours")), h("ul", { className: "cards" }, held.map(card => h("li", {}, drawCard(card))))]);
}
