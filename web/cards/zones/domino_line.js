// @ts-check
/** A line of dominoes: tiles end to end, each turned so that touching ends match. */

import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";
import { cardCode, cardName, drawCard } from "../card.js";
import { drawLyingTile, isDomino } from "../domino_drawings.js";
import { choosable, drawSpot, endSpot } from "./spots.js";

/** @typedef {[left: number, right: number]} Ends */

/** @param {import("../../base/api.js").Zone} zone @param {Set<number>} fresh @param {import("./spots.js").Spots | null} spots */
export function drawLine(zone, fresh, spots) {
  const cards = zone.cards ?? [];
  const codes = cards.map(card => cardCode(card) ?? "");
  const ends = codes.every(isDomino) ? endToEnd(codes) : [];
  const last = ends.length - 1;
  return h("ol", { className: "cards domino-line" }, last >= 0 && drawEnd(zone, "left", ends[0][0], spots), cards.map((card, n) => h("li", { key: String(codes[n]) }, ends[n]
    ? h("span", { className: `${lying(...ends[n])}${fresh.has(n) ? " fresh" : ""}`, role: "img", "aria-label": cardName(card) }, drawLyingTile(...ends[n]))
    : drawCard(card, fresh.has(n) ? ["fresh"] : []))), last >= 0 && drawEnd(zone, "right", ends[last][1], spots));
}

/** An end where a tile can be laid, with the tile that will lie there; it has its room in any case. @param {import("../../base/api.js").Zone} zone @param {"left" | "right"} side @param {number} number @param {import("./spots.js").Spots | null} spots */
function drawEnd(zone, side, number, spots) {
  const key = endSpot(zone, side);
  const ghost = spots?.spot(key)?.ghost ?? null;
  const spot = choosable(spots, key);
  if (!spot) return spots !== null && h("li", { className: ghost === null ? "end" : "end ghost", key }, h("span", { className: "end-spot open-end", "aria-hidden": "true" }, ghost === null ? number : drawComing(ghost, side, number)));
  return h("li", { className: ghost === null ? "end" : "end ghost", key }, drawSpot(key, spot, "end-spot", t(`spot.${side}`, { n: number }), ghost === null ? number : drawComing(ghost, side, number)));
}

/** @param {string} code @param {"left" | "right"} side @param {number} number  that touches the line */
function drawComing(code, side, number) {
  const halves = code.split("-").map(Number);
  const other = halves[0] === number ? halves[1] : halves[0];
  return h("span", { className: lying(other, number) }, side === "left" ? drawLyingTile(other, number) : drawLyingTile(number, other));
}

/** A double lies crosswise, where there is room. @param {number} left @param {number} right */
function lying(left, right) {
  return left === right ? "tile lying double" : "tile lying";
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
