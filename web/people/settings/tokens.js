// @ts-check
/** Tokens for the user's own programs. */

import { get, post, request } from "../../base/api.js";
import { copyField } from "../../base/controls/copy_field.js";
import { confirmDialog } from "../../base/controls/confirm_dialog.js";
import { drawForm } from "../../base/controls/form.js";
import { singleChoice } from "../../base/controls/single_choice.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { changeMe, player } from "../sign_in/session.js";

/**
 * @typedef {{tokens: number, feeds: number, webhooks: number}} Made
 * @typedef {{id: string, label: string, scopes: string[], created_at: string, used_at: string | null, expires_at: string | null, client: string | null, made: Made}} Token
 */

/** What a token may do. */
const SCOPES = ["read", "play", "talk", "account"];
/** The scopes of a new token unless others are chosen. */
const USUAL = ["read", "play"];
/** The days for which a new token can work; null: without end. */
const DAYS = [null, 30, 90, 365];

/** @param {() => void} again redraws the page */
export async function tokensSection(again) {
  /** @type {Token[]} */
  const tokens = (await attempt(() => get("/api/me/tokens")))?.tokens ?? [];
  const revoke = (/** @type {Token} */ token) => attempt(async () => {
    const keep = await asksToKeep(token);
    if (keep === null) return;
    await request("DELETE", `/api/me/tokens/${token.id}${keep ? "?keep=true" : ""}`);
    again();
  });
  return h("section", { className: "sheet" },
    h("h2", {}, t("me.tokens")),
    h("p", { className: "soft" }, t("me.tokens.why"), " ", h("a", { href: "/openapi.yaml" }, "openapi.yaml")),
    h("label", { className: "choice" },
      h("input", { type: "checkbox", name: "program", checked: player()?.program, onchange: (/** @type {Event} */ { target }) => attempt(() => changeMe({ program: /** @type {HTMLInputElement} */ (target).checked })) }),
      h("span", {}, t("me.program"), " ", h("small", { className: "soft" }, t("me.program.why")))),
    h("ul", { className: "item-list" }, tokens.map(token => h("li", { key: token.id },
      h("span", {}, token.label, details(token).map(words => h("small", { className: "soft" }, words))),
      h("button", { type: "button", "aria-label": t("me.token.revoke.which", { label: token.label }), onclick: () => revoke(token) }, t("me.token.revoke"))))),
    makeForm());
}

/** Whether the user keeps what a token has made, of which it is asked if there is something; null: not to be revoked. @param {Token} token */
async function asksToKeep({ label, made }) {
  if (!Object.values(made).some(Boolean)) return false;
  const keep = h("input", { type: "checkbox", name: "keep" });
  const revokes = await confirmDialog(t("me.token.revoke.which", { label }), t("me.token.made", made), t("me.token.revoke"),
    h("label", { className: "choice" }, keep, h("span", {}, t("me.token.keep"))));
  return revokes ? keep.checked : null;
}

/** Whose a token is, if its user signed in there, what it may do, when it was last used, and until when it works. @param {Token} token */
function details({ client, scopes, used_at: used, expires_at: end, created_at: at }) {
  return [
    ...client ? [t("me.token.client", { client })] : [],
    scopes.map(scope => t(`me.token.scope.${scope}`)).join(t("me.token.and")),
    used ? t("sign-ins.seen", { time: formatTime(used) }) : t("me.token.unused", { time: formatTime(at) }),
    ...end ? [t("me.token.until", { time: formatTime(end) })] : []];
}

function makeForm() {
  const made = h("div", {});
  return drawForm("make", {
    fields: [{ name: "label", label: t("me.token.label"), required: true, maxlength: 60 }],
    buttons: [["", t("me.token.make")]],
    async send({ label, expires, ...values }) {
      const scopes = SCOPES.filter(scope => scope in values);
      const days = DAYS[Number(expires)] ?? undefined;
      const { token } = await post("/api/me/tokens", { label: label.trim(), scopes, expires_in_days: days });
      made.replaceChildren(h("p", {}, t("me.token.once")), copyField("token", token.label, token.secret));
    },
  }, scopeChoice(), singleChoice("expires", t("me.token.expires"), DAYS.map(days => ({ value: days, title: days ? t("me.token.days", { n: days }) : t("me.token.never") })), null), made);
}

function scopeChoice() {
  return h("fieldset", {},
    h("legend", {}, t("me.token.scopes")),
    h("div", { className: "choices" }, SCOPES.map(scope => h("label", { className: "choice" },
      h("input", { type: "checkbox", name: scope, checked: USUAL.includes(scope) }),
      t(`me.token.scope.${scope}`)))));
}
