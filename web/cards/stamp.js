// @ts-check
/** The stamp of a game, drawn by the service; a postmark with the date cancels it once the game is over. */

import { svg } from "../base/dom.js";
import { LOGO_STROKES } from "../base/icons.js";
import { formatter, locale } from "../base/time_format.js";

/** Nothing in a document that came without a connection, as the stamps did not. @param {string} slug of the ruleset @param {string | null} [endedAt]  when the game ended */
export function drawStamp(slug, endedAt = null) {
  const { stamps } = document.documentElement.dataset;
  return stamps !== undefined && svg("svg", { className: "stamp", viewBox: "0 0 96 120", "aria-hidden": "true" },
    svg("use", { href: `${stamps}#${slug}` }),
    endedAt && drawPostmark(new Date(endedAt)));
}

/** @param {Date} at */
function drawPostmark(at) {
  const day = formatter(Intl.DateTimeFormat, locale(), { day: "numeric", month: "numeric" }).format(at);
  return svg("g", { className: "postmark", transform: "translate(64 84) rotate(-14) scale(.9)" },
    svg("path", { d: "M-66 -10q6 -7 12 0t12 0t12 0M-66 0q6 -7 12 0t12 0t12 0M-66 10q6 -7 12 0t12 0t12 0" }),
    svg("circle", { r: 30 }), svg("circle", { r: 25 }), svg("path", { d: "M-24 -7H24M-24 9H24" }),
    svg("path", { className: "hand", d: LOGO_STROKES, transform: "translate(-6.5 -22.5) scale(.13)" }),
    svg("text", { y: 6 }, day), svg("text", { className: "year", y: 19 }, at.getFullYear()));
}
