// @ts-check
/** Drawings of dominoes, 1:2: pips up to nine, numerals above. */

import { svg } from "../base/dom.js";

/** The pips of a half: column and row of each, 0 to 2. @type {Record<number, string[]>} */
const PIPS = {
  0: [],
  1: ["11"],
  2: ["00", "22"],
  3: ["00", "11", "22"],
  4: ["00", "02", "20", "22"],
  5: ["00", "02", "11", "20", "22"],
  6: ["00", "01", "02", "20", "21", "22"],
  7: ["00", "01", "02", "11", "20", "21", "22"],
  8: ["00", "01", "02", "10", "12", "20", "21", "22"],
  9: ["00", "01", "02", "10", "11", "12", "20", "21", "22"],
};

/** Whether a code is a domino's. @param {string} code */
export function isDomino(code) {
  return /^\d+-\d+$/.test(code);
}

/** An upright tile, its high end on top. @param {string} code */
export function drawTile(code) {
  const [high, low] = code.split("-").map(Number);
  return svg("svg", { className: "card-picture", viewBox: "0 0 100 200", "aria-hidden": "true" },
    svg("rect", { className: "card-paper", x: 2, y: 2, width: 96, height: 196, rx: 10 }),
    svg("path", { className: "card-frame", d: "M14 100L86 100" }),
    uprightHalf(high, 0),
    uprightHalf(low, 100),
  );
}

/** A tile on its side. @param {number} left @param {number} right */
export function drawLyingTile(left, right) {
  return svg("svg", { className: "card-picture", viewBox: "0 0 200 100", "aria-hidden": "true" },
    svg("rect", { className: "card-paper", x: 2, y: 2, width: 196, height: 96, rx: 10 }),
    svg("path", { className: "card-frame", d: "M100 14L100 86" }),
    lyingHalf(left, 0),
    lyingHalf(right, 100),
  );
}

/** @param {number} number @param {number} top */
function uprightHalf(number, top) {
  if (!(number in PIPS)) return numeral(number, 50, top + 68);
  return PIPS[number].map(([column, row]) => pip(24 + 26 * Number(column), top + 24 + 26 * Number(row)));
}

/** Pips turn with their tile, numerals stay upright. @param {number} number @param {number} left */
function lyingHalf(number, left) {
  if (!(number in PIPS)) return numeral(number, left + 50, 68);
  return PIPS[number].map(([column, row]) => pip(left + 24 + 26 * Number(row), 76 - 26 * Number(column)));
}

/** @param {number} x @param {number} y */
function pip(x, y) {
  return svg("circle", { className: "tile-pip", cx: x, cy: y, r: 9.5 });
}

/** @param {number} number @param {number} x @param {number} y */
function numeral(number, x, y) {
  return svg("text", { className: "tile-number", x, y, "text-anchor": "middle" }, number);
}
