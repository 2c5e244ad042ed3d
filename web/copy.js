// @ts-check
/** A text to take along: a field that selects itself, and a button that copies it. */

import { h } from "./dom.js";
import { tell } from "./notice.js";
import { t } from "./words.js";

/** @param {string} id @param {string} label @param {string} value */
export function copyField(id, label, value) {
  const field = () => /** @type {HTMLInputElement} */ (document.getElementById(id));
  return h("div", { className: "copy" },
    h("input", { id, readonly: true, value, "aria-label": label, onclick: () => field().select() }),
    h("button", { type: "button", onclick: () => copy(field()) }, t("copy")));
}

/** Where the browser forbids it the text is at least selected. @param {HTMLInputElement} field */
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    tell(t("copied"));
  } catch {
    tell(t("copy.yourself"));
  }
}
