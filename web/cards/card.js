// @ts-check
/**
 * A card or tile on the table: its drawing, its marks, and its name for screen readers.
 *
 * @typedef {import("../base/api.js").Face} Face
 */

import { h } from "../base/dom.js";
import { SUITS, hasWords, t } from "../base/words.js";
import { drawBack, drawCode, drawFace, drawSmallFace, drawVacant } from "./card_drawings.js";
import { drawLyingTile, drawTile, isDomino } from "./domino_drawings.js";

/** The code of any card, for a pattern. */
export const ANY_CARD = `[A2-9TJQK][${SUITS.join("")}]|Jk`;
const CARD = new RegExp(`^(${ANY_CARD})$`);

/** The code of a visible card, or null. @param {Face} card */
export function cardCode(card) {
  return typeof card === "string" ? card : (card?.card ?? null);
}

/** What is known of a card besides its face: "turned", "sealed", "vacant". @param {Face} card */
export function cardMarks(card) {
  return card !== null && typeof card === "object" ? card.is : [];
}

/** A card in words: "three of hearts", "ace of spades, turned". @param {Face} card */
export function cardName(card) {
  const marks = cardMarks(card).map(mark => (hasWords(`mark.${mark}`) ? t(`mark.${mark}`) : mark));
  const code = cardCode(card);
  if (code === null) return marks.length ? marks.join(t("comma")) : t("card.unseen");
  return [codeName(code), ...marks].join(t("comma"));
}

/** A card with its name for screen readers. @param {Face} card @param {string[]} [more] further classes */
export function drawCard(card, more = []) {
  return h("span", { className: classes(card, more), "data-code": cardCode(card), role: "img", "aria-label": cardName(card) }, drawing(card));
}

/** A card alone, for a control that has the name itself. @param {Face} card @param {string[]} [more] */
export function drawUnlabelledCard(card, more = []) {
  return h("span", { className: classes(card, more), "data-code": cardCode(card) }, drawing(card));
}

/** A card in running text, as high as a line, with its name for screen readers. @param {string} code */
export function drawSmallCard(code) {
  const known = SMALL.get(code) ?? (isDomino(code) ? drawLyingTile(...ends(code)) : isCard(code) ? drawSmallFace(code) : drawCode(code));
  SMALL.set(code, known);
  return h("span", { className: `${classes(code, ["small"])}${isDomino(code) ? " lying" : ""}`, role: "img", "aria-label": codeName(code) }, known.cloneNode(true));
}

/** @type {Map<string, SVGElement>} */
const SMALL = new Map();

/** @param {string} code of a domino @returns {[number, number]} */
function ends(code) {
  const [high, low] = code.split("-").map(Number);
  return [high, low];
}

/** @param {string} code */
function codeName(code) {
  if (code === "Jk") return t("card.joker");
  if (isDomino(code)) return t("card.domino", { high: code.split("-")[0], low: code.split("-")[1] });
  if (!isCard(code)) return code;
  const rank = hasWords(`rank.${code[0]}`) ? t(`rank.${code[0]}`) : code[0];
  return t("card.name", { rank, suit: t(`suit.${code[1]}`) });
}

/** Whether a code is that of a card, and not of a domino. @param {string} code */
export function isCard(code) {
  return CARD.test(code);
}

/** Drawings by code; each is made once and copied. @type {Map<string, SVGElement>} */
const CACHE = new Map();

/** @param {Face} card */
function drawing(card) {
  const code = cardCode(card);
  const known = code ?? (cardMarks(card).includes("vacant") ? "vacant" : "back");
  const drawing = CACHE.get(known) ?? (code !== null ? drawOpen(code) : known === "vacant" ? drawVacant() : drawBack());
  CACHE.set(known, drawing);
  return drawing.cloneNode(true);
}

/** @param {string} code */
function drawOpen(code) {
  if (isDomino(code)) return drawTile(code);
  return isCard(code) ? drawFace(code) : drawCode(code);
}

/** @param {Face} card @param {string[]} more */
function classes(card, more) {
  const code = cardCode(card) ?? "";
  const suit = isCard(code) && code !== "Jk" ? [`suit-${code[1]}`] : [];
  const shape = isDomino(code) ? "tile" : "card";
  return [shape, ...suit, ...cardMarks(card).map(mark => `is-${mark}`), ...more].join(" ");
}
