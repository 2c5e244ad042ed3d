// @ts-check
/** Short messages that come and go, also for who does not see them; problems say what to do next. */

import { Problem } from "./api.js";
import { h } from "./dom.js";
import { known, t } from "./words.js";

const STAYS = 9000;
/** Pixels between it and what is below. */
const EDGE = 12;

const place = h("div", { className: "notices", role: "status" });
document.body.append(place);

/** Ms after which somebody who goes elsewhere has read it. */
const READ = 1000;
let told = 0;

/** Takes away what was said before the reader went on. */
export function tidy() {
  if (Date.now() - told > READ) place.replaceChildren();
}

/** Pixels from the lower edge of the window: what is to be clicked there stays free. @param {Element | null} dock */
function above(dock) {
  return EDGE + (dock ? Math.max(0, innerHeight - dock.getBoundingClientRect().top) : 0);
}

/** Says something. @param {string} text */
export function tell(text) {
  told = Date.now();
  const note = h("p", { className: "notice" }, text,
    h("button", { type: "button", className: "plain", "aria-label": t("close"), onclick: () => note.remove() }, "×"));
  place.replaceChildren(note);
  place.style.insetBlockEnd = `${above(document.querySelector(".dock"))}px`;
  setTimeout(() => note.remove(), STAYS);
}

/** What a problem says to the reader. @param {unknown} error */
export function worded(error) {
  if (!(error instanceof Problem)) throw error;
  if (error.slug === "offline") return t("offline");
  if (known(`problem.${error.slug}`)) return t(`problem.${error.slug}`);
  return [error.message, error.detail].filter(Boolean).join(t("colon"));
}

/** Does something; a problem is told, and answered with undefined. @template T @param {() => Promise<T>} act */
export async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    tell(worded(error));
    return undefined;
  }
}
