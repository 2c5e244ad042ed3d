// @ts-check
/** The title and icon of the tab, which show that it is the user's turn even in the background. */

import { t } from "../words.js";

const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
/** As it came with the document. */
const USUAL_ICON = icon.href;

/** @param {boolean} turn whether it is the user's turn @param {string} what the screen shows */
export function setTitle(turn, what) {
  const name = [what, t("brand")].filter(Boolean).join(" – ");
  document.title = turn ? t("title.turn", { name }) : name;
  document.documentElement.classList.toggle("my-turn", turn);
  const wanted = turn ? "/icon-turn.svg" : USUAL_ICON;
  if (icon.getAttribute("href") !== wanted) icon.href = wanted;
}
