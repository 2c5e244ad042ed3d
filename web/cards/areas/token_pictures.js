// @ts-check
/** The pictures of tokens, by the icon that a ruleset names. */

import { svg } from "../../base/dom.js";

/** Filled shapes on a square of 24. @type {Record<string, string>} */
const SHAPES = {
  joker: "M2 5H22V19H2zM4 8.2V17H20V8.2L12 13.6zM5.2 7L12 11.4L18.8 7z",
  marker: "M5 2H7V22H5zM8.5 3H21L17.2 7.5L21 12H8.5z",
  crown: "M2 6L7.5 11L12 4L16.5 11L22 6L20 17H4zM4 18.6H20V21H4z",
  feather: "M21.5 2C12 2.5 5.5 8 5.2 15L2 20.5L3.6 21.6L6.6 17.3C13.5 17.5 16.5 14 17.3 10.5L14.5 10.2L18.8 8C20.2 6.2 21.2 4.2 21.5 2zM15.5 7.5L7.5 14.8L7 14.2z",
  chip: "M12 1A11 11 0 1 0 12.01 1zM12 6.5A5.5 5.5 0 1 1 11.99 6.5zM10.5 2.6H13.5V5H10.5zM10.5 19H13.5V21.4H10.5zM2.6 10.5H5V13.5H2.6zM19 10.5H21.4V13.5H19z",
  coin: "M12 1.5A10.5 10.5 0 1 0 12.01 1.5zM8.5 8.5H15.5V15.5H8.5zM12 3.5A8.5 8.5 0 1 1 11.99 3.5zM12 5A7 7 0 1 0 12.01 5z",
  pile: "M4 6L15 3L21 18L10 21zM2 9L3.3 8.6L7 20.5L5.5 20.6z",
  influence: "M1 12C6 4 18 4 23 12C18 20 6 20 1 12zM12 7.5A4.5 4.5 0 1 1 11.99 7.5zM12 9.8A2.2 2.2 0 1 0 12.01 9.8z",
  load: "M8 6V4A2 2 0 0 1 10 2H14A2 2 0 0 1 16 4V6H22V20H2V6zM10 6H14V4H10zM4 12V18H20V12H13.5V14H10.5V12z",
  bid: "M12 1.5A7 7 0 1 0 12.01 1.5zM10.5 16.5H13.5V23H10.5zM12 4A4.5 4.5 0 1 1 11.99 4z",
  out: "M12 1A11 11 0 1 0 12.01 1zM12 3.5A8.5 8.5 0 0 1 17.2 5L5 17.2A8.5 8.5 0 0 1 12 3.5zM19 6.8A8.5 8.5 0 0 1 6.8 19z",
  lead: "M4 2L21 12L4 22z",
  flag: "M4 2H6V22H4zM7 3H21V13H7zM10.5 3V6.3H14V9.7H10.5V13H7V9.7H10.5V6.3H7V3zM17.5 3V6.3H21V9.7H17.5V13H14V9.7H17.5V6.3H14V3z",
  won: "M6 2H18V4H22V7C22 10 20 11.8 17.3 12C16.5 14 15 15.5 13.5 16V19H17V22H7V19H10.5V16C9 15.5 7.5 14 6.7 12C4 11.8 2 10 2 7V4H6zM4 6V7C4 8.5 4.8 9.6 6 9.9V6zM18 6V9.9C19.2 9.6 20 8.5 20 7V6z",
  lost: "M9 2H15V12H21L12 22L3 12H9z",
  tie: "M3 6H21V10H3zM3 14H21V18H3z",
  draw: "M3 5H13V21H3zM17 8V2H19.5V8L22.5 8L18.25 13.5L14 8z",
  drew: "M3 5H13V21H3zM17 8V2H19.5V8L22.5 8L18.25 13.5L14 8z",
  holds: "M5 2H15V16H5zM17 6H19V20H9V18H17z",
  missed: "M4.5 2L12 9.5L19.5 2L22 4.5L14.5 12L22 19.5L19.5 22L12 14.5L4.5 22L2 19.5L9.5 12L2 4.5z",
  stood: "M6 3H10.5V21H6zM13.5 3H18V21H13.5z",
  dealer: "M3 7H13V22H3zM6 4.5H16V19.5H14.5V6H6zM9 2H19V17H17.5V3.5H9z",
  trump: "M12 .5L14.8 7.5L22 5.5L18.5 12L22 18.5L14.8 16.5L12 23.5L9.2 16.5L2 18.5L5.5 12L2 5.5L9.2 7.5z",
  blessing: "M2 5H22V19H2zM4 8.2V17H20V8.2L12 13.6zM5.2 7L12 11.4L18.8 7z",
  pips: "M2 4H22V20H2zM11.3 5.5V18.5H12.7V5.5zM6.5 10.2A1.8 1.8 0 1 0 6.51 10.2zM15.5 7A1.7 1.7 0 1 0 15.51 7zM19 13.6A1.7 1.7 0 1 0 19.01 13.6z",
};

/** Where the chips of a heap lie. */
const HEAP = [0, 9, 18];

/** Whether there is a picture: an icon of tomorrow has none yet, and what it stands for is said in words. @param {string | undefined} icon */
export function hasPicture(icon) {
  return icon === "score" || icon === "chips" || (icon !== undefined && icon in SHAPES);
}

/** The picture of a token; a score is a number alone. @param {string} icon */
export function drawPicture(icon) {
  if (icon === "chips") return drawHeap();
  return icon in SHAPES && svg("svg", { className: `token-picture of-${icon}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: SHAPES[icon], "fill-rule": "evenodd" }));
}

function drawHeap() {
  return svg("svg", { className: "token-picture of-chips", viewBox: "0 0 42 24", "aria-hidden": "true" },
    HEAP.map(x => svg("g", { transform: `translate(${x})` }, svg("circle", { className: "beneath", cx: 12, cy: 12, r: 11.5 }), svg("path", { d: SHAPES.chip, "fill-rule": "evenodd" }))));
}
