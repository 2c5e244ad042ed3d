// @ts-check
/** Tokens, by which programs of mine play. */

import { ask, get, post } from "./api.js";
import { copyField } from "./copy.js";
import { h } from "./dom.js";
import { formOf } from "./fields.js";
import { attempt } from "./notice.js";
import { clock } from "./time.js";
import { t } from "./words.js";

/** @typedef {{id: string, label: string, created_at: string}} Token */

/** @param {() => void} again shows it anew */
export async function tokensSection(again) {
  /** @type {Token[]} */
  const tokens = (await attempt(() => get("/api/me/tokens")))?.tokens ?? [];
  const revoke = (/** @type {string} */ id) => attempt(async () => {
    await ask("DELETE", `/api/me/tokens/${id}`);
    again();
  });
  return h("section", { className: "sheet" },
    h("h2", {}, t("me.tokens")),
    h("p", { className: "soft" }, t("me.tokens.why"), " ", h("a", { href: "/openapi.yaml" }, "openapi.yaml")),
    h("ul", { className: "tokens" }, tokens.map(({ id, label, created_at: at }) => h("li", { key: id },
      h("span", {}, label, h("small", { className: "soft" }, clock(at))),
      h("button", { type: "button", "aria-label": t("me.token.revoke.which", { label }), onclick: () => revoke(id) }, t("me.token.revoke"))))),
    make());
}

function make() {
  const made = h("div", {});
  return formOf("make", {
    fields: [{ name: "label", label: t("me.token.label"), required: true, maxlength: 60 }],
    buttons: [["", t("me.token.make")]],
    async send({ label }) {
      const { token } = await post("/api/me/tokens", { label: label.trim() });
      made.replaceChildren(h("p", {}, t("me.token.once")), copyField("token", token.label, token.secret));
    },
  }, made);
}
