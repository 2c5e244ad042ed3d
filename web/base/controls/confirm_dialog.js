// @ts-check
/** A dialog that asks for confirmation before something that cannot be undone or that others will see. */

import { h } from "../dom.js";
import { t } from "../words.js";
import { justAppeared } from "./just_appeared.js";

/**
 * Whether the user confirms.
 * @param {string} title @param {string} what will happen @param {string} label of the button
 * @param {import("../dom.js").Child[]}more fields @returns {Promise<boolean>}
 */
export function confirmDialog(title, what, label, ...more) {
  const dialog = h("dialog", { className: "confirm-dialog", "aria-labelledby": "confirm-dialog" },
    h("form", { method: "dialog" },
      h("h2", { id: "confirm-dialog" }, title),
      h("p", {}, what),
      more,
      h("div", { className: "buttons" },
        h("button", { value: "" }, t("cancel")),
        h("button", { value: "yes", className: "main" }, label))));
  return showDialog(dialog).then(answer => answer === "yes");
}

/** Opens a dialog, which takes no click for a moment. @param {HTMLDialogElement} dialog */
export function openDialog(dialog) {
  document.body.append(dialog);
  dialog.showModal();
  justAppeared(dialog);
}

/** Shows a dialog until it is closed; returns the value of the button pressed, or "" for none. @param {HTMLDialogElement} dialog @returns {Promise<string>} */
export function showDialog(dialog) {
  openDialog(dialog);
  return new Promise(resolve => dialog.addEventListener("close", () => {
    dialog.remove();
    resolve(dialog.returnValue);
  }));
}
