// @ts-check
/** One question before something that cannot be undone, or that others are told. */

import { h } from "./dom.js";
import { t } from "./words.js";

/**
 * Whether the reader wants it.
 * @param {string} title @param {string} what it means @param {string} label of the button
 * @param {import("./dom.js").Child[]} more fields to fill in @returns {Promise<boolean>}
 */
export function sure(title, what, label, ...more) {
  const dialog = h("dialog", { className: "sure", "aria-labelledby": "sure" },
    h("form", { method: "dialog" },
      h("h2", { id: "sure" }, title),
      h("p", {}, what),
      more,
      h("div", { className: "buttons" },
        h("button", { value: "" }, t("cancel")),
        h("button", { value: "yes", className: "main" }, label))));
  return shown(dialog).then(answer => answer === "yes");
}

/** A dialog until it is closed; which of its buttons was pressed, or "" for none. @param {HTMLDialogElement} dialog @returns {Promise<string>} */
export function shown(dialog) {
  document.body.append(dialog);
  dialog.showModal();
  return new Promise(resolve => dialog.addEventListener("close", () => {
    dialog.remove();
    resolve(dialog.returnValue);
  }));
}
