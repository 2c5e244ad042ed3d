// @ts-check
/** The logo of Tegami, and the icons of buttons. */

import { svg } from "./dom.js";

/** 手 in strokes, for the logo and the backs of the cards. */
export const LOGO_STROKES = "M70 10C56 17 38 22 20 24M17 43L83 43M7 64L93 64M50 21L50 84C50 95 40 97 29 90";

/** The logo. Its colour changes when it is the user's turn. */
export function drawLogo() {
  return svg("svg", { className: "logo", viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("rect", { x: 4, y: 4, width: 92, height: 92, rx: 18 }),
    svg("path", { d: LOGO_STROKES, transform: "translate(20 19) scale(.6)" }));
}

/** The icon of a button that says itself what it does. @param {string} strokes  on a square of 24 */
export function drawIcon(strokes) {
  return svg("svg", { className: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: strokes }));
}
