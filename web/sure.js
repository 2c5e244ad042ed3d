// @ts-check
/** One question before something that cannot be undone. */

import { h } from "./dom.js";
import { t } from "./words.js";

/**
 * Whether the reader wants it; with `field`, what was written there, or null.
 * @param {string} title @param {string} what it means @param {string} label of the button @returns {Promise<boolean>}
 */
export async function sure(title, what, label) {
  return (await asked(title, what, label)) !== null;
}

/** The same, with something to be written; null: rather not. @param {string} title @param {string} what @param {string} label @param {string} question @returns {Promise<string | null>} */
export function written(title, what, label, question) {
  return asked(title, what, label, question);
}

/** @param {string} title @param {string} what @param {string} label @param {string} [question] @returns {Promise<string | null>} */
function asked(title, what, label, question) {
  const field = h("textarea", { id: "why", rows: 3, maxlength: 500 });
  const dialog = h("dialog", { className: "sure", "aria-labelledby": "sure" },
    h("form", { method: "dialog" },
      h("h2", { id: "sure" }, title),
      h("p", {}, what),
      question && [h("label", { for: "why" }, question), field],
      h("div", { className: "buttons" },
        h("button", { value: "" }, t("cancel")),
        h("button", { value: "yes", className: "main" }, label))));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise(resolve => dialog.addEventListener("close", () => {
    dialog.remove();
    resolve(dialog.returnValue === "yes" ? field.value.trim() : null);
  }));
}
