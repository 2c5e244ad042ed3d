// @ts-check
/** Export of the user's data, and erasure of the account. */

import { post } from "../../base/api.js";
import { drawForm } from "../../base/controls/form.js";
import { showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { goTo } from "../../base/routes.js";
import { language, t } from "../../base/words.js";
import { signOut } from "../sign_in/session.js";
import { currentPasswordFields } from "./account.js";

export function exportAndEraseSection() {
  return h("section", { className: "sheet", id: "data" },
    h("h2", {}, t("export-and-erase.title")),
    h("p", { className: "soft" }, t("export-and-erase.export.why"), " ", h("a", { href: `/privacy?lang=${language()}` }, t("export-and-erase.privacy"))),
    h("div", { className: "buttons" }, h("a", { className: "button", href: "/api/me/export", download: "tegami.json" }, t("export-and-erase.export"))),
    h("details", { className: "more" }, h("summary", {}, t("export-and-erase.erase")), h("p", {}, t("export-and-erase.erase.what")), eraseForm()));
}

function eraseForm() {
  return drawForm("erase", {
    fields: currentPasswordFields(),
    buttons: [["", t("export-and-erase.erase.do")]],
    async send({ current_password: password }) {
      await signOut(() => post("/api/me/erasure", password ? { current_password: password } : {}));
      showToast(t("export-and-erase.erase.done"));
      goTo("/");
    },
  }, h("label", { className: "choice" }, h("input", { type: "checkbox", required: true, name: "sure", value: "" }), t("export-and-erase.erase.sure")));
}
