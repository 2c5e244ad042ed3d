// @ts-check
/** A line of dominoes: tiles end to end, each turned so that touching ends match. */

import { h } from "../base/dom.js";
import { cardCode, cardName, drawCard } from "../cards/card.js";
import { drawLyingTile, isDomino } from "../cards/domino_drawings.js";

/** @typedef {[left: number, right: number]} Ends */

/** @param {import("../base/api.js").Zone} zone @param {Set<number>} fresh */
export function drawLine(zone, fresh) {
  const cards = zone.cards ?? [];
  const codes = cards.map(card => cardCode(card) ?? "");
  const ends = codes.every(isDomino) ? endToEnd(codes) : [];
  return h("ol", { className: "cards domino-line" }, cards.map((card, n) => h("li", { key: String(codes[n]) }, ends[n]
    ? h("span", { className: fresh.has(n) ? "tile lying fresh" : "tile lying", role: "img", "aria-label": cardName(card) }, drawLyingTile(...ends[n]))
    : drawCard(card, fresh.has(n) ? ["fresh"] : []))));
}

/** The left and right end of each tile. @param {string[]} codes @returns {Ends[]} */
export function endToEnd(codes) {
  /** @type {Ends[]} */
  const tiles = codes.map(code => /** @type {Ends} */ (code.split("-").map(Number)));
  /** @type {Ends[]} */
  const laid = [];
  for (const [n, [high, low]] of tiles.entries()) {
    const turned = n > 0 ? laid[n - 1][1] !== high : tiles.length > 1 && !tiles[1].includes(low);
    laid.push(turned ? [low, high] : [high, low]);
  }
  return laid;
}
