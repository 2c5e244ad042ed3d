// @ts-check
/** What it means that a game is played live, and the wish to be told when others wait for one. */

import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";

/** The wish that is drawn stays the same while the form beside it is drawn again. @type {{slug: string, drawn: HTMLElement} | null} */
let shown = null;

/** @typedef {(drawn: HTMLElement, slug: string) => unknown} ShowLiveWish  Shows the wish at a game in an element. */

/** @param {string} slug @param {ShowLiveWish} showLiveWish */
export function drawLive(slug, showLiveWish) {
  if (shown?.slug !== slug || !shown.drawn.isConnected) shown = { slug, drawn: drawWish(slug, showLiveWish) };
  return h("div", { className: "field", key: "live" }, h("p", { className: "soft small" }, t("live.what")), shown.drawn);
}

/** @param {string} slug @param {ShowLiveWish} showLiveWish */
function drawWish(slug, showLiveWish) {
  const drawn = h("div", { className: "field", key: `live-wish ${slug}`, "data-own": true });
  showLiveWish(drawn, slug);
  return drawn;
}
