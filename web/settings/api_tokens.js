// @ts-check
/** Tokens for the user's own programs. */

import { get, post, request } from "../base/api.js";
import { h } from "../base/dom.js";
import { formatTime } from "../base/time_format.js";
import { t } from "../base/words.js";
import { copyField } from "../controls/copy_field.js";
import { drawForm } from "../controls/form.js";
import { attempt } from "../controls/toasts.js";

/** @typedef {{id: string, label: string, created_at: string}} Token */

/** @param {() => void} again redraws the page */
export async function tokensSection(again) {
  /** @type {Token[]} */
  const tokens = (await attempt(() => get("/api/me/tokens")))?.tokens ?? [];
  const revoke = (/** @type {string} */ id) => attempt(async () => {
    await request("DELETE", `/api/me/tokens/${id}`);
    again();
  });
  return h("section", { className: "sheet" },
    h("h2", {}, t("me.tokens")),
    h("p", { className: "soft" }, t("me.tokens.why"), " ", h("a", { href: "/openapi.yaml" }, "openapi.yaml")),
    h("ul", { className: "item-list" }, tokens.map(({ id, label, created_at: at }) => h("li", { key: id },
      h("span", {}, label, h("small", { className: "soft" }, formatTime(at))),
      h("button", { type: "button", "aria-label": t("me.token.revoke.which", { label }), onclick: () => revoke(id) }, t("me.token.revoke"))))),
    makeForm());
}

function makeForm() {
  const made = h("div", {});
  return drawForm("make", {
    fields: [{ name: "label", label: t("me.token.label"), required: true, maxlength: 60 }],
    buttons: [["", t("me.token.make")]],
    async send({ label }) {
      const { token } = await post("/api/me/tokens", { label: label.trim() });
      made.replaceChildren(h("p", {}, t("me.token.once")), copyField("token", token.label, token.secret));
    },
  }, made);
}
