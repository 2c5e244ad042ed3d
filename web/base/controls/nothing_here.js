// @ts-check
/** What is shown at an address where there is nothing, with a way on. */

import { Problem } from "../api.js";
import { h } from "../dom.js";
import { setTitle } from "./title_and_icon.js";
import { t } from "../words.js";
import { problemText, showToast } from "./toasts.js";

/** @param {HTMLElement} main @param {string} [title] @param {string} [why] */
export function showNothingHere(main, title = t("not-found"), why = t("not-found.why")) {
  setTitle(false, title);
  main.className = ""; // a table fills the screen
  main.replaceChildren(
    h("h1", {}, title), h("p", {}, why),
    h("div", { className: "buttons" }, h("a", { className: "button main", href: "/" }, t("to.lobby"))));
}

/**
 * What `load` returns for a screen; undefined if there is nothing, or after another problem: both are shown. Also
 * undefined if the screen was left meanwhile.
 * @template T @param {HTMLElement} main @param {() => Promise<T>} load @returns {Promise<T | undefined>}
 */
export async function loadOrShowNothing(main, load) {
  try {
    const loaded = await load();
    return main.isConnected ? loaded : undefined;
  } catch (error) {
    if (!main.isConnected) return undefined;
    if (error instanceof Problem && error.status === 404) showNothingHere(main);
    else showToast(problemText(error));
    return undefined;
  }
}
