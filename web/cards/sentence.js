// @ts-check
/**
 * What the service tells, with its cards drawn, and whoever it names by the mark of their seat.
 *
 * @typedef {import("../base/api.js").Line} Line
 * @typedef {import("../base/api.js").Piece} Piece
 */

import { h } from "../base/dom.js";
import { drawSeatMark } from "../base/seat_marks.js";
import { colourCards } from "../base/words.js";
import { drawSmallCard } from "./card.js";

/** A line of the history behind the mark of whoever it is about. @param {Line} line */
export function drawLine(line) {
  return h("p", { className: "told" }, line.seat !== undefined && drawSeatMark(line.seat), drawSentence(line, line.seat));
}

/** @param {{words: string, pieces?: Piece[]}} told @param {number} [about]  the seat whose mark stands before it already */
export function drawSentence({ words, pieces }, about) {
  return pieces ? pieces.map(piece => drawPiece(piece, about)) : colourCards(words);
}

/** @param {Piece} piece @param {number | undefined} about */
function drawPiece({ text, seat, card }, about) {
  if (card !== undefined) return drawSmallCard(card);
  return seat === undefined ? text : h("b", {}, seat !== about && drawSeatMark(seat), text);
}
