// @ts-check
/** Short messages that come and go, also for who does not see them; problems say what to do next. */

import { Problem } from "./api.js";
import { h } from "./dom.js";
import { t } from "./words.js";

const STAYS = 9000;

const place = h("div", { className: "notices", role: "status" });
document.body.append(place);

/** Says something. @param {string} text */
export function tell(text) {
  const note = h("p", { className: "notice" }, text,
    h("button", { type: "button", className: "plain", "aria-label": t("close"), onclick: () => note.remove() }, "×"));
  place.replaceChildren(note);
  setTimeout(() => note.remove(), STAYS);
}

/** What a problem says to the reader. @param {unknown} error */
export function worded(error) {
  if (!(error instanceof Problem)) throw error;
  if (error.slug === "offline") return t("offline");
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
