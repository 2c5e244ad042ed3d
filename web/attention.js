// @ts-check
/** Title and icon of the page: they show that it is the reader's turn, also in a tab that is not looked at. */

import { t } from "./words.js";

/** @param {boolean} turn @param {string} what the screen is about */
export function signal(turn, what) {
  const name = [what, t("brand")].filter(Boolean).join(" – ");
  document.title = turn ? t("title.turn", { name }) : name;
  document.documentElement.classList.toggle("my-turn", turn);
  const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
  icon.href = turn ? "/icon-turn.svg" : "/icon.svg";
}
