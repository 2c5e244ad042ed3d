// @ts-check
/** Shapes that cards are drawn from, each in a box of 100 by 100, and the one way to place them. */

import { svg } from "./dom.js";

/** @type {Record<string, string>} */
export const SHAPES = {
  s: "M50 5C68 33 94 44 94 66C94 79 85 87 74 87C66 87 59 83 55 77C56 85 60 91 66 96L34 96C40 91 44 85 45 77C41 83 34 87 26 87C15 87 6 79 6 66C6 44 32 33 50 5Z",
  h: "M50 94C26 71 5 52 5 31C5 15 16 6 28 6C38 6 46 12 50 22C54 12 62 6 72 6C84 6 95 15 95 31C95 52 74 71 50 94Z",
  d: "M50 3C60 22 72 38 88 50C72 62 60 78 50 97C40 78 28 62 12 50C28 38 40 22 50 3Z",
  c: "M50 4A21 21 0 0 1 67 38A21 21 0 1 1 55 68C56 81 60 90 67 96L33 96C40 90 44 81 45 68A21 21 0 1 1 33 38A21 21 0 0 1 50 4Z",
};

/** The mark on the backs, 手, as strokes. */
export const HAND = "M70 10C56 17 38 22 20 24M17 43L83 43M7 64L93 64M50 21L50 84C50 95 40 97 29 90";

/**
 * A shape with its centre at (x, y), `size` wide, upright or upside down.
 * @param {string} path @param {number} x @param {number} y @param {number} size @param {boolean} [turned]
 */
export function place(path, x, y, size, turned = false) {
  const scale = (turned ? -size : size) / 100;
  return svg("path", { d: path, transform: `translate(${x} ${y}) scale(${scale}) translate(-50 -50)` });
}

/** The mark of Tegami; it takes the colour of the seal when it is the reader's turn. */
export function stamp() {
  return svg("svg", { className: "stamp", viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("rect", { x: 4, y: 4, width: 92, height: 92, rx: 18 }),
    svg("path", { d: HAND, transform: "translate(20 19) scale(.6)" }));
}
