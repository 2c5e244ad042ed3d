// @ts-check
/**
 * How the user can be told of the next turn, by mail or by this browser: a question that is put once, after the first move.
 *
 * @typedef {{id: string, words: string, act: () => void, href?: string, isMain?: boolean}} Answer  With an address it is a link.
 * @typedef {{key: string, title: string, words: string, answers: [Answer, Answer]}} Hint  The second answer declines.
 */

import { h } from "../../base/dom.js";
import { addressHint, hasProvenAddress } from "./address_hint.js";
import { pushOffer } from "./push_offer.js";

/** @param {import("../../base/api.js").Game} game @param {boolean} hasActed @param {() => void} redraw @returns {Hint | null} */
export function hintFor(game, hasActed, redraw) {
  return ((hasActed || hasProvenAddress()) && addressHint(game, redraw)) || (hasActed && pushOffer(game, redraw)) || null;
}

/** @param {Hint | null} hint @param {boolean} [brief]  in a line, where the table leaves no room for more */
export function drawHint(hint, brief = false) {
  return hint && h("section", { className: brief ? "hint brief" : "hint", key: `${hint.key} ${brief}`, "aria-label": hint.title },
    h("p", {}, hint.words),
    h("div", { className: "buttons" }, drawAnswer(hint.answers[0], brief), brief ? drawClose(hint.answers[1]) : drawAnswer(hint.answers[1], brief)));
}

/** @param {Answer} answer @param {boolean} brief */
function drawAnswer({ id, words, act, href, isMain }, brief) {
  const more = { id: brief ? null : id, onclick: act };
  return href ? h("a", { ...more, className: "button", href }, words) : h("button", { ...more, type: "button", className: isMain ? "main" : "" }, words);
}

/** @param {Answer} answer */
function drawClose({ words, act }) {
  return h("button", { type: "button", className: "plain close", "aria-label": words, title: words, onclick: act }, "×");
}
