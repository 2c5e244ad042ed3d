// @ts-check
/**
 * The page behind a link from a mail. The key is removed from the address, and used only when a button is pressed, so that
 * programs that follow links in mails do not use it up.
 *
 * @typedef {import("../../base/routes.js").MailedLink} MailedLink
 */

import { Problem, post } from "../../base/api.js";
import { saveInTab } from "../../base/browser_storage.js";
import { drawForm } from "../../base/controls/form.js";
import { showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { goTo } from "../../base/routes.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { t } from "../../base/words.js";
import { loadPlayer, player, resetPassword, signIn } from "./session.js";
import { passwordFields } from "./sign_in_page.js";

/** @param {HTMLElement} main @param {MailedLink} arrival */
export function mailedLinkPage(main, { purpose, key }) {
  setTitle(false, t(`mailed-link.${purpose}`));
  main.append(h("section", { className: "sheet" },
    h("h1", {}, t(`mailed-link.${purpose}`)),
    h("p", {}, t(`mailed-link.${purpose}.what`)),
    FORMS[purpose](key)));
}

/** @type {Record<MailedLink["purpose"], (key: string) => HTMLElement>} */
const FORMS = { verify: verifyForm, "not-me": rejectForm, "sign-in": signInForm, reset: resetForm, invited: invitedForm };

/** Whoever is not signed in to the account of the mail is asked to sign in. @param {string} key */
function verifyForm(key) {
  const form = drawForm("arrival", {
    fields: [],
    buttons: [["", t("mailed-link.verify.do")], ["deny", t("mailed-link.verify.deny")]],
    send: (_values, pressed) => reportBrokenKey(async () => {
      if (pressed === "deny") return reject(key);
      const done = await verify(key);
      if (!done) form.replaceWith(signInToVerifyForm(key));
    }),
  });
  return form;
}

/** Verifies the address; whether somebody is signed in to the account of the mail. @param {string} key */
async function verify(key) {
  try {
    await post("/api/verifications", { key });
  } catch (error) {
    if (error instanceof Problem && ["not-signed-in", "other-account"].includes(error.slug)) return false;
    throw error;
  }
  saveInTab("link", null);
  await loadPlayer();
  showToast(t("mailed-link.verify.done"));
  goTo("/me");
  return true;
}

/** @param {string} key */
function signInToVerifyForm(key) {
  return h("div", {},
    h("p", { role: "status" }, t("mailed-link.verify.who")),
    drawForm("enter", {
      fields: passwordFields(),
      buttons: [["", t("mailed-link.verify.sign-in")]],
      send: ({ who, password }) => reportBrokenKey(async () => {
        await signIn({ who, password });
        if (!await verify(key)) throw new Problem(403, { title: t("mailed-link.verify.who") });
      }),
    }),
    rejectForm(key));
}

/** @param {string} key */
function rejectForm(key) {
  return buttonForm("not-me", () => reject(key));
}

/** Removes the address from the account for which somebody else typed it. @param {string} key */
async function reject(key) {
  await post("/api/address-rejections", { key });
  await loadPlayer();
  showToast(t("mailed-link.not-me.done"));
  goTo("/");
}

/** @param {string} key */
function signInForm(key) {
  return buttonForm("sign-in", async () => {
    await signIn({ mailed: key });
    welcome();
  });
}

/** @param {string} key */
function resetForm(key) {
  return drawForm("reset", {
    fields: [{ name: "password", label: t("password.new"), hint: t("password.hint"), type: "password", required: true, minlength: 8, maxlength: 200, autocomplete: "new-password" }],
    buttons: [["", t("mailed-link.reset.do")]],
    send: ({ password }) => reportBrokenKey(async () => {
      await resetPassword(key, password);
      welcome();
    }),
  });
}

/** @param {string} code */
function invitedForm(code) {
  return buttonForm("invited", async () => {
    saveInTab("invited", code);
    goTo("/");
  });
}

function welcome() {
  showToast(t("back.welcome", { name: player()?.name ?? "" }));
  goTo("/");
}

/** @param {string} purpose @param {() => Promise<void>} send */
function buttonForm(purpose, send) {
  return drawForm("arrival", { fields: [], buttons: [["", t(`mailed-link.${purpose}.do`)]], send: () => reportBrokenKey(send) });
}

/** The names of such a key in requests. */
const KEYS = ["key", "mailed"];

/** A key of the wrong form was cut off on its way. @param {() => Promise<void>} send */
async function reportBrokenKey(send) {
  try {
    await send();
  } catch (error) {
    const broken = error instanceof Problem && error.slug === "invalid-body" && KEYS.some(name => name in (error.body.errors ?? {}));
    throw broken ? new Problem(error.status, { title: t("mailed-link.broken") }) : error;
  }
}
