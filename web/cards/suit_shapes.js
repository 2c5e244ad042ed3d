// @ts-check
/** The shapes of the suits, each in a box of 100 by 100. */

import { svg } from "../base/dom.js";

/** @type {Record<string, string>} */
export const SUIT_SHAPES = {
  s: "M50 5C68 33 94 44 94 66C94 79 85 87 74 87C66 87 59 83 55 77C56 85 60 91 66 96L34 96C40 91 44 85 45 77C41 83 34 87 26 87C15 87 6 79 6 66C6 44 32 33 50 5Z",
  h: "M50 94C26 71 5 52 5 31C5 15 16 6 28 6C38 6 46 12 50 22C54 12 62 6 72 6C84 6 95 15 95 31C95 52 74 71 50 94Z",
  d: "M50 3C60 22 72 38 88 50C72 62 60 78 50 97C40 78 28 62 12 50C28 38 40 22 50 3Z",
  c: "M50 4A21 21 0 0 1 67 38A21 21 0 1 1 55 68C56 81 60 90 67 96L33 96C40 90 44 81 45 68A21 21 0 1 1 33 38A21 21 0 0 1 50 4Z",
};

/**
 * Draws a shape centred at (x, y), `size` wide, upright or upside down.
 * @param {string} path @param {number} x @param {number} y @param {number} size @param {boolean} [turned]
 */
export function drawShape(path, x, y, size, turned = false) {
  const scale = (turned ? -size : size) / 100;
  return svg("path", { d: path, transform: `translate(${x} ${y}) scale(${scale}) translate(-50 -50)` });
}
