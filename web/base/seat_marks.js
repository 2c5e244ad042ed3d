// @ts-check
/**
 * Whose something is: each seat has a mark, a shape of its own in a colour of its own, wherever it is shown.
 * The colours are `--seat-0` and so on (colours.css); what wants the colour of a seat has its class, and then `--player`.
 */

import { svg } from "./dom.js";

/** The shapes of the seats in their order, on a square of 16; none looks like a suit. There are as many as seats at the largest table. */
const SHAPES = [
  "M8 1.5a6.5 6.5 0 1 0 .01 0z",
  "M2 2H14V14H2z",
  "M8 1L15.5 14.5H.5z",
  "M5.5 1H10.5V5.5H15V10.5H10.5V15H5.5V10.5H1V5.5H5.5z",
  "M8 .5L10.3 5.6L15.8 6.2L11.7 9.9L12.9 15.4L8 12.6L3.1 15.4L4.3 9.9L.2 6.2L5.7 5.6z",
  "M8 1a7 7 0 1 0 .01 0zM8 5.2a2.8 2.8 0 1 1 -.01 0z",
  "M1.5 1H14.5L9.8 8L14.5 15H1.5L6.2 8z",
  "M11.5 1A7.5 7.5 0 1 0 11.5 15A7.8 7.8 0 0 1 11.5 1z",
  "M1 2H6.2V14H1zM9.8 2H15V14H9.8z",
  "M.5 1.5H15.5L8 15z",
];

/** The class of what is of a seat's colour. @param {number} seat */
export function seatClass(seat) {
  return `of-seat-${seat}`;
}

/** The mark of a seat, beside a name that says the same. @param {number} seat */
export function drawSeatMark(seat) {
  return svg("svg", { className: `seat-mark ${seatClass(seat)}`, viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: SHAPES[seat], "fill-rule": "evenodd" }));
}
