// @ts-check
/** The title and icon of the tab, which show that it is the user's turn even in the background. */

import { t } from "../words.js";

/** @param {boolean} turn whether it is the user's turn @param {string} what the screen shows */
export function setTitle(turn, what) {
  const name = [what, t("brand")].filter(Boolean).join(" – ");
  document.title = turn ? t("title.turn", { name }) : name;
  document.documentElement.classList.toggle("my-turn", turn);
  const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
  icon.href = turn ? "/icon-turn.svg" : "/icon.svg";
}
