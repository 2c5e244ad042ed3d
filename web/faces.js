// @ts-check
/** Playing cards as drawings: 5:7, a big index in two corners, pips or an emblem, and the back. Colours come from style. */

import { svg } from "./dom.js";
import { HAND, SHAPES, place } from "./suits.js";

const WIDE = 250;
const HIGH = 350;
const COURTS = "JQK";

/** Rows of the two columns of pips, and of those between them, by number. @type {Record<string, [number[], number[]]>} */
const PIPS = {
  2: [[], [85, 265]],
  3: [[], [85, 175, 265]],
  4: [[100, 250], []],
  5: [[100, 250], [175]],
  6: [[85, 175, 265], []],
  7: [[85, 175, 265], [130]],
  8: [[85, 175, 265], [130, 220]],
  9: [[70, 140, 210, 280], [175]],
  T: [[70, 140, 210, 280], [105, 245]],
};

/** The face of a card, from its code. @param {string} code */
export function face(code) {
  if (code === "Jk") return sheet(corners(jokerIndex), letter());
  const [rank, suit] = code;
  const index = () => [rankText(rank), place(SHAPES[suit], 47, 142, 56)];
  return sheet(corners(index), middle(rank, suit));
}

/** The back: a weave with the mark in the middle. */
export function back() {
  const lines = [];
  for (let x = -HIGH; x < WIDE + HIGH; x += 26) lines.push(`M${x} 0l${HIGH} ${HIGH}M${x} ${HIGH}l${HIGH} -${HIGH}`);
  return drawing(
    svg("rect", { className: "card-paper", x: 3, y: 3, width: WIDE - 6, height: HIGH - 6, rx: 15 }),
    svg("svg", { x: 18, y: 18, width: WIDE - 36, height: HIGH - 36, viewBox: `18 18 ${WIDE - 36} ${HIGH - 36}` },
      svg("path", { className: "card-weave", d: lines.join("") })),
    svg("rect", { className: "card-frame", x: 18, y: 18, width: WIDE - 36, height: HIGH - 36, rx: 6 }),
    svg("circle", { className: "card-seal", cx: WIDE / 2, cy: HIGH / 2, r: 62 }),
    svg("path", { className: "card-hand", d: HAND, transform: "translate(85 135) scale(.8)" }),
  );
}

/** An empty place. */
export function vacant() {
  return drawing(svg("rect", { className: "card-vacant", x: 5, y: 5, width: WIDE - 10, height: HIGH - 10, rx: 15 }));
}

/** A code that is no card: as text. @param {string} code */
export function plain(code) {
  return sheet(svg("text", { className: "card-rank", x: WIDE / 2, y: 200, "text-anchor": "middle" }, code));
}

/** @param {any[]} parts */
function drawing(...parts) {
  return svg("svg", { className: "card-picture", viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" }, parts);
}

/** @param {any[]} parts */
function sheet(...parts) {
  return drawing(svg("rect", { className: "card-paper", x: 3, y: 3, width: WIDE - 6, height: HIGH - 6, rx: 15 }), parts);
}

/** @param {() => any} index */
function corners(index) {
  return [index(), svg("g", { transform: `rotate(180 ${WIDE / 2} ${HIGH / 2})` }, index())];
}

/** @param {string} rank */
function rankText(rank) {
  const ten = rank === "T";
  const squeezed = ten ? { textLength: 76, lengthAdjust: "spacingAndGlyphs" } : {};
  return svg("text", { className: "card-rank", x: 47, y: 92, "text-anchor": "middle", ...squeezed }, ten ? "10" : rank);
}

function jokerIndex() {
  return [..."JOKER"].map((each, n) =>
    svg("text", { className: "card-joker", x: 40, y: 58 + 40 * n, "text-anchor": "middle" }, each));
}

/** @param {string} rank @param {string} suit */
function middle(rank, suit) {
  const shape = SHAPES[suit];
  if (rank === "A") return place(shape, 125, 175, 100);
  if (COURTS.includes(rank)) return court(rank, suit);
  const [sides, between] = PIPS[rank];
  return [
    sides.flatMap(y => [place(shape, 106, y, 34, y > 175), place(shape, 144, y, 34, y > 175)]),
    between.map(y => place(shape, 125, y, 34, y > 175)),
  ];
}

/** The letter of a court stands in the emblem of its suit. @param {string} rank @param {string} suit */
function court(rank, suit) {
  const y = { s: 212, h: 200, d: 204, c: 210 }[suit];
  return svg("g", { className: "card-court" },
    place(SHAPES[suit], 125, 175, 118),
    svg("text", { x: 125, y, "text-anchor": "middle" }, rank),
  );
}

/** The joker is a folded letter. */
function letter() {
  return svg("g", { className: "card-letter" },
    svg("path", { d: "M75 128L175 128L175 222L75 222Z" }),
    svg("path", { d: "M75 128L125 182L175 128" }),
    svg("path", { d: "M75 222L112 168M175 222L138 168" }),
  );
}
