// @ts-check
/**
 * A card or tile as it lies on the table: its drawing, its marks and its name for who does not see it.
 *
 * @typedef {import("./api.js").Face} Face
 */

import { h } from "./dom.js";
import { isDomino, tile } from "./dominoes.js";
import { back, face, plain, vacant } from "./faces.js";
import { known, t } from "./words.js";

/** The code of what is seen, or null. @param {Face} card */
export function codeOf(card) {
  return typeof card === "string" ? card : (card?.card ?? null);
}

/** The marks of a card. @param {Face} card */
export function marksOf(card) {
  return card !== null && typeof card === "object" ? card.is : [];
}

/** A card in words: "three of hearts", "ace of spades, turned". @param {Face} card */
export function nameOf(card) {
  const marks = marksOf(card).map(mark => (known(`mark.${mark}`) ? t(`mark.${mark}`) : mark));
  const code = codeOf(card);
  if (code === null) return marks.length ? marks.join(t("comma")) : t("card.unseen");
  return [codeName(code), ...marks].join(t("comma"));
}

/** A picture with a name. @param {Face} card @param {string[]} [more] further classes */
export function picture(card, more = []) {
  return h("span", { className: classes(card, more), role: "img", "aria-label": nameOf(card) }, drawn(card));
}

/** The picture alone, for a control that says the name itself. @param {Face} card @param {string[]} [more] */
export function pictureOnly(card, more = []) {
  return h("span", { className: classes(card, more) }, drawn(card));
}

/** @param {string} code */
function codeName(code) {
  if (code === "Jk") return t("card.joker");
  if (isDomino(code)) return t("card.domino", { high: code.split("-")[0], low: code.split("-")[1] });
  if (!isCard(code)) return code;
  const rank = known(`rank.${code[0]}`) ? t(`rank.${code[0]}`) : code[0];
  return t("card.name", { rank, suit: t(`suit.${code[1]}`) });
}

/** @param {string} code */
function isCard(code) {
  return /^([A2-9TJQK][shdc]|Jk)$/.test(code);
}

/** Every drawing is made once; what is shown are copies. @type {Map<string, SVGElement>} */
const DRAWINGS = new Map();

/** @param {Face} card */
function drawn(card) {
  const code = codeOf(card);
  const known = code ?? (marksOf(card).includes("vacant") ? "vacant" : "back");
  const drawing = DRAWINGS.get(known) ?? (code === null ? hidden(known) : open(code));
  DRAWINGS.set(known, drawing);
  return drawing.cloneNode(true);
}

/** @param {string} known */
function hidden(known) {
  return known === "vacant" ? vacant() : back();
}

/** @param {string} code */
function open(code) {
  if (isDomino(code)) return tile(code);
  return isCard(code) ? face(code) : plain(code);
}

/** @param {Face} card @param {string[]} more */
function classes(card, more) {
  const code = codeOf(card) ?? "";
  const suit = isCard(code) && code !== "Jk" ? [`suit-${code[1]}`] : [];
  const shape = isDomino(code) ? "tile" : "card";
  return [shape, ...suit, ...marksOf(card).map(mark => `is-${mark}`), ...more].join(" ");
}
