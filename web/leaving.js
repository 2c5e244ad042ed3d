// @ts-check
/** What is kept about me, to take along; and going for good. */

import { post } from "./api.js";
import { currentPassword } from "./account.js";
import { h } from "./dom.js";
import { formOf } from "./fields.js";
import { tell } from "./notice.js";
import { now } from "./player.js";
import { go } from "./route.js";
import { saveHere } from "./store.js";
import { language, t } from "./words.js";

export function leavingSection() {
  return h("section", { className: "sheet", id: "data" },
    h("h2", {}, t("data.title")),
    h("p", { className: "soft" }, t("data.export.why"), " ", h("a", { href: `/privacy?lang=${language()}` }, t("data.privacy"))),
    h("div", { className: "buttons" }, h("a", { className: "button", href: "/api/me/export", download: "tegami.json" }, t("data.export"))),
    h("details", { className: "more" }, h("summary", {}, t("data.erase")), h("p", {}, t("data.erase.what")), erase()));
}

function erase() {
  return formOf("erase", {
    fields: currentPassword(),
    buttons: [["", t("data.erase.do")]],
    async send({ current_password: password }) {
      await post("/api/me/erasure", password ? { current_password: password } : {});
      saveHere("link", null);
      now(null);
      tell(t("data.erase.done"));
      go("#/");
    },
  }, h("label", { className: "choice" }, h("input", { type: "checkbox", required: true, name: "sure", value: "" }), t("data.erase.sure")));
}
