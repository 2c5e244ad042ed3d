// @ts-check
/** A line of dominoes: tiles lie end to end, each turned so that what touches is alike. */

import { codeOf, nameOf, picture } from "./cards.js";
import { h } from "./dom.js";
import { isDomino, lying } from "./dominoes.js";

/** @typedef {[left: number, right: number]} Ends */

/** @param {import("./api.js").Zone} zone @param {Set<number>} fresh */
export function drawLine(zone, fresh) {
  const cards = zone.cards ?? [];
  const codes = cards.map(card => codeOf(card) ?? "");
  const ends = codes.every(isDomino) ? endToEnd(codes) : [];
  return h("ol", { className: "cards laid" }, cards.map((card, n) => h("li", { key: String(codes[n]) }, ends[n]
    ? h("span", { className: fresh.has(n) ? "tile lying fresh" : "tile lying", role: "img", "aria-label": nameOf(card) }, lying(...ends[n]))
    : picture(card, fresh.has(n) ? ["fresh"] : []))));
}

/** Which end of each tile lies to the left and which to the right. @param {string[]} codes @returns {Ends[]} */
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
