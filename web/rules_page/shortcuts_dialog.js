// @ts-check
/** The list of the keyboard shortcuts at a table. */

import { openDialog } from "../base/controls/confirm_dialog.js";
import { h } from "../base/dom.js";
import { t } from "../base/words.js";

export function showShortcuts() {
  const dialog = h("dialog", { className: "shortcuts", "aria-labelledby": "shortcuts" },
    h("h2", { id: "shortcuts" }, t("shortcuts")),
    h("dl", {}, ["arrows", "space", "enter", "backspace", "escape", "help"].map(key => [h("dt", {}, h("kbd", {}, t(`shortcuts.${key}`))), h("dd", {}, t(`shortcuts.${key}.does`))])),
    h("form", { method: "dialog", className: "buttons" }, h("button", { className: "main", autofocus: true }, t("close"))));
  dialog.addEventListener("close", () => dialog.remove());
  openDialog(dialog);
}
