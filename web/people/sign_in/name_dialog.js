// @ts-check
/** The dialog that asks newcomers for a name, the first time they need to be somebody. */

import { openDialog } from "../../base/controls/confirm_dialog.js";
import { drawForm } from "../../base/controls/form.js";
import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";
import { becomeGuest, player } from "./session.js";

/** The player; newcomers are asked for a name first. Null if they cancel. @returns {Promise<import("./session.js").Player | null>} */
export async function ensurePlayer() {
  if (player()) return player();
  return new Promise(resolve => {
    const dialog = nameDialog();
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(player());
    });
    openDialog(dialog);
  });
}

function nameDialog() {
  const close = () => dialog.close();
  const form = drawForm("sit", {
    fields: [{ name: "name", id: "name", label: t("name.label"), required: true, maxlength: 40, autocomplete: "nickname", autofocus: true }],
    buttons: [["", t("name.sit")]],
    cancel: close,
    async send({ name = "" }) {
      await becomeGuest(name.trim());
      close();
    },
  }, h("p", { className: "soft small" }, t("name.known"), " ", h("a", { href: "/enter", onclick: close }, t("sign-in.title"))));
  const dialog = h("dialog", { "aria-labelledby": "name-dialog" },
    h("h2", { id: "name-dialog" }, t("name.title")),
    h("p", { className: "soft" }, t("name.why")),
    form);
  return dialog;
}
