// @ts-check
/** Drawings of playing cards, 5:7: faces, backs, jokers, empty places. Their colours come from cards.css. */

import { svg } from "../base/dom.js";
import { LOGO_STROKES } from "../base/icons.js";

const WIDE = 250;
const HIGH = 350;
const COURTS = "JQK";

/** By rank, how far down the pips are: in the two outer columns, and in the middle one. @type {Record<string, [number[], number[]]>} */
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

/** The shapes of the suits, each in a box of 100 by 100. @type {Record<string, string>} */
const SUIT_SHAPES = {
  s: "M50 5C68 33 94 44 94 66C94 79 85 87 74 87C66 87 59 83 55 77C56 85 60 91 66 96L34 96C40 91 44 85 45 77C41 83 34 87 26 87C15 87 6 79 6 66C6 44 32 33 50 5Z",
  h: "M50 94C26 71 5 52 5 31C5 15 16 6 28 6C38 6 46 12 50 22C54 12 62 6 72 6C84 6 95 15 95 31C95 52 74 71 50 94Z",
  d: "M50 3C60 22 72 38 88 50C72 62 60 78 50 97C40 78 28 62 12 50C28 38 40 22 50 3Z",
  c: "M50 4A21 21 0 0 1 67 38A21 21 0 1 1 55 68C56 81 60 90 67 96L33 96C40 90 44 81 45 68A21 21 0 1 1 33 38A21 21 0 0 1 50 4Z",
};

/** The index of the joker: a star over a folded letter. */
const STAR = "M47 18L56 45H84L62 62L70 90L47 73L24 90L32 62L10 45H38Z";
const SMALL_LETTER = "M5 14H95V86H5V14L50 56L95 14";

/** The face of a card. @param {string} code */
export function drawFace(code) {
  if (code === "Jk") {
    const index = () => [svg("path", { className: "card-rank", d: STAR }), svg("path", { className: "card-letter", d: SMALL_LETTER, transform: "translate(47 142) scale(.56) translate(-50 -50)" })];
    return drawPaper(corners(index), foldedLetter());
  }
  const [rank, suit] = code;
  const index = () => [rankText(rank), drawShape(SUIT_SHAPES[suit], 47, 142, 56)];
  return drawPaper(corners(index), middle(rank, suit));
}

/** A suit alone. @param {string} suit @param {Record<string, any>} [more]  where it stands in another drawing */
export function drawSuit(suit, more = {}) {
  return svg("svg", { className: `suit-sign suit-${suit}`, viewBox: "0 0 100 100", "aria-hidden": "true", ...more }, svg("path", { d: SUIT_SHAPES[suit] }));
}

/** The face of a card in running text: only its rank and its suit, as large as they go. @param {string} code */
export function drawSmallFace(code) {
  if (code === "Jk") return drawPaper(svg("g", { transform: "translate(-125 -175) scale(2)" }, foldedLetter()));
  const [rank, suit] = code;
  const ten = rank === "T";
  const squeezed = ten ? { textLength: 180, lengthAdjust: "spacingAndGlyphs" } : {};
  return drawPaper(
    svg("text", { className: "card-rank", x: WIDE / 2, y: 168, "text-anchor": "middle", ...squeezed }, ten ? "10" : rank),
    drawShape(SUIT_SHAPES[suit], WIDE / 2, 256, 136));
}

/** The back: a weave with the logo in the middle. */
export function drawBack() {
  const lines = [];
  for (let x = -HIGH; x < WIDE + HIGH; x += 26) lines.push(`M${x} 0l${HIGH} ${HIGH}M${x} ${HIGH}l${HIGH} -${HIGH}`);
  return drawing(
    svg("rect", { className: "card-paper", x: 3, y: 3, width: WIDE - 6, height: HIGH - 6, rx: 15 }),
    svg("svg", { x: 18, y: 18, width: WIDE - 36, height: HIGH - 36, viewBox: `18 18 ${WIDE - 36} ${HIGH - 36}` },
      svg("path", { className: "card-weave", d: lines.join("") })),
    svg("rect", { className: "card-frame", x: 18, y: 18, width: WIDE - 36, height: HIGH - 36, rx: 6 }),
    svg("circle", { className: "card-seal", cx: WIDE / 2, cy: HIGH / 2, r: 62 }),
    svg("path", { className: "card-hand", d: LOGO_STROKES, transform: "translate(85 135) scale(.8)" }),
  );
}

/** An empty place. */
export function drawVacant() {
  return drawing(svg("rect", { className: "card-vacant", x: 5, y: 5, width: WIDE - 10, height: HIGH - 10, rx: 15 }));
}

/** A code that is not a card, as text. @param {string} code */
export function drawCode(code) {
  return drawPaper(svg("text", { className: "card-rank", x: WIDE / 2, y: 200, "text-anchor": "middle" }, code));
}

/** @param {any[]} parts */
function drawing(...parts) {
  return svg("svg", { className: "card-picture", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "xMidYMin slice", "aria-hidden": "true" }, parts); // where there is no room for all of it, its upper part
}

/** @param {any[]} parts */
function drawPaper(...parts) {
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

/** @param {string} rank @param {string} suit */
function middle(rank, suit) {
  const shape = SUIT_SHAPES[suit];
  if (rank === "A") return drawShape(shape, 125, 175, 100);
  if (COURTS.includes(rank)) return court(rank, suit);
  const [sides, between] = PIPS[rank];
  return [
    sides.flatMap(y => [drawShape(shape, 106, y, 34, y > 175), drawShape(shape, 144, y, 34, y > 175)]),
    between.map(y => drawShape(shape, 125, y, 34, y > 175)),
  ];
}

/** A court card: its letter in a large suit shape. @param {string} rank @param {string} suit */
function court(rank, suit) {
  const y = { s: 212, h: 200, d: 204, c: 210 }[suit];
  return svg("g", { className: "card-court" },
    drawShape(SUIT_SHAPES[suit], 125, 175, 118),
    svg("text", { x: 125, y, "text-anchor": "middle" }, rank),
  );
}

/** The joker is a folded letter. */
function foldedLetter() {
  return svg("g", { className: "card-letter" },
    svg("path", { d: "M75 128L175 128L175 222L75 222Z" }),
    svg("path", { d: "M75 128L125 182L175 128" }),
    svg("path", { d: "M75 222L112 168M175 222L138 168" }),
  );
}

/**
 * Draws a shape centred at (x, y), `size` wide, upright or upside down.
 * @param {string} path @param {number} x @param {number} y @param {number} size @param {boolean} [turned]
 */
function drawShape(path, x, y, size, turned = false) {
  const scale = (turned ? -size : size) / 100;
  return svg("path", { d: path, transform: `translate(${x} ${y}) scale(${scale}) translate(-50 -50)` });
}
