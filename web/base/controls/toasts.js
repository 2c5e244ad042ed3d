// @ts-check
/** Short messages that disappear by themselves, announced to screen readers; and the wording of problems. */

import { Problem } from "../api.js";
import { h } from "../dom.js";
import { hasWords, t } from "../words.js";

const DURATION = 9000;
/** Pixels below a toast. */
const EDGE = 12;

const container = h("div", { className: "toasts", role: "status" });
document.body.append(container);

/** Milliseconds after which a toast counts as read when the user moves on. */
const READING_TIME = 1000;
let shownAt = 0;

/** Removes a toast from an earlier screen. */
export function clearToast() {
  if (Date.now() - shownAt > READING_TIME) container.replaceChildren();
}

/** Pixels from the bottom of the window, clear of the bottom panel unless that stands at the side. @param {Element | null} panel */
function bottomOffset(panel) {
  const top = panel?.getBoundingClientRect().top ?? 0;
  return EDGE + (top > 0 ? Math.max(0, innerHeight - top) : 0);
}

/** @param {string} text */
export function showToast(text) {
  shownAt = Date.now();
  const note = h("p", { className: "toast" }, text,
    h("button", { type: "button", className: "plain", "aria-label": t("close"), onclick: () => note.remove() }, "×"));
  container.replaceChildren(note);
  container.style.insetBlockEnd = `${bottomOffset(document.querySelector(".bottom-panel"))}px`;
  setTimeout(() => note.remove(), DURATION);
}

/** A problem in words for the user. @param {unknown} error */
export function problemText(error) {
  if (!(error instanceof Problem)) throw error;
  if (error.slug === "offline") return t("offline");
  if (error.slug === "outdated") return t("outdated");
  if (hasWords(`problem.${error.slug}`)) return t(`problem.${error.slug}`);
  return [error.message, error.detail].filter(Boolean).join(t("colon"));
}

/** Runs `act`; a problem is shown as a toast and returns undefined. @template T @param {() => Promise<T>} act */
export async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    showToast(problemText(error));
    return undefined;
  }
}
