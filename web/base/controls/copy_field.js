// @ts-check
/** A read-only field with a button that copies its text. */

import { h } from "../dom.js";
import { t } from "../words.js";
import { showToast } from "./toasts.js";

/** @param {string} id @param {string} label @param {string} value */
export function copyField(id, label, value) {
  const field = () => /** @type {HTMLInputElement} */ (document.getElementById(id));
  return h("div", { className: "copy" },
    h("input", { id, readonly: true, value, "aria-label": label, onclick: () => field().select() }),
    h("button", { type: "button", onclick: () => copy(field()) }, t("copy")));
}

/** Copies a text, or shows it if the browser forbids that. @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    showToast(t("copied"));
  } catch {
    showToast(text);
  }
}

/** If the browser forbids copying, the text is at least selected. @param {HTMLInputElement} field */
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    showToast(t("copied"));
  } catch {
    showToast(t("copy.yourself"));
  }
}
