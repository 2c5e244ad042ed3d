// @ts-check
/** Registration; once registered, password and mail address. */

import { post, request } from "../../base/api.js";
import { saveInTab } from "../../base/browser_storage.js";
import { drawForm } from "../../base/controls/form.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { formatTime } from "../../base/time_format.js";
import { language, t } from "../../base/words.js";
import { player, setPlayer } from "../sign_in/session.js";
import { drawNeverDelivered, drawUndelivered, watchDelivery } from "../sign_in/undelivered.js";
import { adoptTimeZone } from "./mail_settings.js";

/** @typedef {import("../../base/api.js").Player} Player */

/** @param {() => void} again redraws the page */
export function accountSections(again) {
  const who = player();
  if (!who) return [];
  return who.handle === null ? [registerSection(again)] : [accountSection(who, again)];
}

/** @param {() => void} again */
function registerSection(again) {
  return h("section", { className: "sheet" },
    h("h2", {}, t("account.register")),
    h("p", { className: "soft" }, t("account.register.why")),
    drawForm("register", {
      fields: [handleField(), addressField(), newPasswordField(t("account.password.optional"), t("account.password.optional.hint"), false)],
      buttons: [["", t("account.register.do")]],
      async send(values) {
        setPlayer((await post("/api/me/registration", values)).player);
        saveInTab("link", null);
        if (!player()?.has_password) saveInTab("link", (await post("/api/me/link")).link.url); // the only other way back until the address is verified
        await adoptTimeZone();
        showToast(mailed());
        again();
        watchDelivery(again);
      },
    }, h("p", { className: "soft small" }, t("account.privacy"), " ", h("a", { href: `/privacy?lang=${language()}` }, t("export-and-erase.privacy")))));
}

function handleField() {
  return { name: "handle", label: t("account.handle"), hint: t("account.handle.hint"), required: true, maxlength: 24, pattern: "[A-Za-z][A-Za-z0-9_\\-]{2,23}", autocomplete: "username", autocapitalize: "none", spellcheck: "false" };
}

function addressField() {
  return { name: "address", label: t("account.address"), hint: t("account.address.hint"), type: "email", required: true, maxlength: 254, autocomplete: "email" };
}

/** @param {string} label @param {string} hint @param {boolean} required */
function newPasswordField(label, hint, required) {
  return { name: "password", label, hint, type: "password", required, minlength: 8, maxlength: 200, autocomplete: "new-password" };
}

/** Asked for where somebody else at an open page could do harm. @returns {import("../../base/controls/form.js").Field[]} */
export function currentPasswordFields() {
  if (!player()?.has_password) return [];
  return [{ name: "current_password", label: t("password.current"), type: "password", required: true, maxlength: 200, autocomplete: "current-password" }];
}

/** What has become of the mail that verifies an address: it may wait. */
function mailed() {
  const until = player()?.verification_waits_until;
  return until ? t("account.mail-waits", { time: formatTime(until) }) : t("account.mailed");
}

/** @param {Player} who @param {() => void} again */
function accountSection(who, again) {
  return h("section", { className: "sheet" },
    h("h2", {}, t("account.title")),
    h("dl", { className: "pairs" },
      h("dt", {}, t("account.handle")), h("dd", {}, who.handle),
      h("dt", {}, t("account.address")), h("dd", {}, who.address ?? t("account.address.none"))),
    drawUndelivered(),
    drawNeverDelivered(),
    who.unverified_address && !who.unverified_undelivered && h("p", { className: "soft" }, t("account.unverified", { address: who.unverified_address })),
    who.verification_number && h("p", { className: "soft" }, t("account.number", { number: who.verification_number })),
    who.verification_waits_until && h("p", {}, mailed()),
    h("details", { className: "more" }, h("summary", {}, t(who.unverified_address ? "account.address.again" : "account.address.change")), addressForm(again)),
    h("details", { className: "more" }, h("summary", {}, t(who.has_password ? "account.password.change" : "account.password.set")), passwordForm(again)));
}

/** An unverified address is filled in: sending it again sends a new mail. @param {() => void} again */
function addressForm(again) {
  return drawForm("address", {
    fields: [{ ...addressField(), value: player()?.unverified_address ?? "" }, ...currentPasswordFields()],
    buttons: [["", t("account.address.do")]],
    async send(values) {
      setPlayer((await request("PUT", "/api/me/address", { body: values })).data.player);
      showToast(mailed());
      again();
      watchDelivery(again);
    },
  });
}

/** @param {() => void} again */
function passwordForm(again) {
  return drawForm("password", {
    fields: [...currentPasswordFields(), newPasswordField(t("password.new"), t("password.hint"), true)],
    buttons: [["", t("me.save")]],
    async send(values) {
      await request("PUT", "/api/me/password", { body: values });
      saveInTab("link", null);
      await attempt(async () => setPlayer((await request("GET", "/api/me")).data.player));
      showToast(t("account.password.done"));
      again();
    },
  }, h("p", { className: "soft small" }, t("account.password.ends")));
}
