// @ts-check
/** Registering, so that one comes back by name or mail; afterwards password and address. */

import { ask, post } from "./api.js";
import { h } from "./dom.js";
import { adoptZone } from "./mails.js";
import { formOf } from "./fields.js";
import { attempt, tell } from "./notice.js";
import { now, player } from "./player.js";
import { language, t } from "./words.js";

/** @typedef {import("./api.js").Player} Player */

/** @param {() => void} again shows it anew */
export function accountSections(again) {
  const who = player();
  if (!who) return [];
  return who.handle === null ? [register(again)] : [account(who, again)];
}

/** @param {() => void} again */
function register(again) {
  return h("section", { className: "sheet" },
    h("h2", {}, t("account.register")),
    h("p", { className: "soft" }, t("account.register.why")),
    formOf("register", {
      fields: [handleField(), addressField(), newPassword(t("account.password.optional"), t("account.password.optional.hint"), false)],
      buttons: [["", t("account.register.do")]],
      async send(values) {
        now((await post("/api/me/registration", values)).player);
        await adoptZone();
        tell(t("account.mailed"));
        again();
      },
    }, h("p", { className: "soft small" }, t("account.privacy"), " ", h("a", { href: `/privacy?lang=${language()}` }, t("data.privacy")))));
}

function handleField() {
  return { name: "handle", label: t("account.handle"), hint: t("account.handle.hint"), required: true, maxlength: 24, pattern: "[A-Za-z][A-Za-z0-9_\\-]{2,23}", autocomplete: "username", autocapitalize: "none", spellcheck: "false" };
}

function addressField() {
  return { name: "address", label: t("account.address"), hint: t("account.address.hint"), type: "email", required: true, maxlength: 254, autocomplete: "email" };
}

/** @param {string} label @param {string} hint @param {boolean} required */
function newPassword(label, hint, required) {
  return { name: "password", label, hint, type: "password", required, minlength: 8, maxlength: 200, autocomplete: "new-password" };
}

/** Asked wherever somebody else at an open page could do harm. @returns {import("./fields.js").Field[]} */
export function currentPassword() {
  if (!player()?.has_password) return [];
  return [{ name: "current_password", label: t("password.current"), type: "password", required: true, maxlength: 200, autocomplete: "current-password" }];
}

/** @param {Player} who @param {() => void} again */
function account(who, again) {
  return h("section", { className: "sheet" },
    h("h2", {}, t("account.title")),
    h("dl", { className: "pairs" },
      h("dt", {}, t("account.handle")), h("dd", {}, who.handle),
      h("dt", {}, t("account.address")), h("dd", {}, who.address ?? t("account.address.none"))),
    who.unverified_address && h("p", { className: "soft" }, t("account.unverified", { address: who.unverified_address })),
    h("details", { className: "more" }, h("summary", {}, t(who.unverified_address ? "account.address.again" : "account.address.change")), addressForm(again)),
    h("details", { className: "more" }, h("summary", {}, t(who.has_password ? "account.password.change" : "account.password.set")), passwordForm(again)));
}

/** The address that waits stands there already: the same again sends a new mail. @param {() => void} again */
function addressForm(again) {
  return formOf("address", {
    fields: [{ ...addressField(), value: player()?.unverified_address ?? "" }, ...currentPassword()],
    buttons: [["", t("account.address.do")]],
    async send(values) {
      now((await ask("PUT", "/api/me/address", { body: values })).data.player);
      tell(t("account.mailed"));
      again();
    },
  });
}

/** @param {() => void} again */
function passwordForm(again) {
  return formOf("password", {
    fields: [...currentPassword(), newPassword(t("password.new"), t("password.hint"), true)],
    buttons: [["", t("me.save")]],
    async send(values) {
      await ask("PUT", "/api/me/password", { body: values });
      await attempt(async () => now((await ask("GET", "/api/me")).data.player));
      tell(t("account.password.done"));
      again();
    },
  }, h("p", { className: "soft small" }, t("account.password.ends")));
}
