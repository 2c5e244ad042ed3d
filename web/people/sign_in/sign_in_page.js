// @ts-check
/** The sign-in page: with a password, or by a link in a mail. */

import { post } from "../../base/api.js";
import { drawForm } from "../../base/controls/form.js";
import { showToast } from "../../base/controls/toasts.js";
import { h, update } from "../../base/dom.js";
import { goTo } from "../../base/routes.js";
import { formatTime } from "../../base/time_format.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { t } from "../../base/words.js";
import { player, signIn } from "./session.js";

/** @param {HTMLElement} main */
export function signInPage(main) {
  setTitle(false, t("sign-in.title"));
  update(main,
    h("h1", {}, t("sign-in.title")),
    player()?.guest && h("p", { className: "sheet" }, t("sign-in.guest", { name: player()?.name ?? "" }), " ", h("a", { href: "/me" }, t("me.title"))),
    h("section", { className: "sheet" }, h("h2", {}, t("sign-in.password")), byPassword()),
    h("section", { className: "sheet" }, h("h2", {}, t("sign-in.mail")), h("p", { className: "soft" }, t("sign-in.mail.why")), byMail()));
}

/** @param {string} [autocomplete] */
function whoField(autocomplete = "username") {
  return { name: "who", label: t("sign-in.who"), required: true, maxlength: 254, autocomplete, autocapitalize: "none", spellcheck: "false" };
}

/** The fields with which somebody signs in by password. */
export function passwordFields() {
  return [whoField(), { name: "password", label: t("password"), type: "password", required: true, maxlength: 200, autocomplete: "current-password" }];
}

function byPassword() {
  return drawForm("enter", {
    fields: passwordFields(),
    buttons: [["", t("sign-in.do")]],
    async send({ who: name, password }) {
      await signIn({ who: name, password });
      showToast(t("back.welcome", { name: player()?.name ?? "" }));
      goTo("/");
    },
  });
}

function byMail() {
  return drawForm("mail", {
    fields: [whoField("email")],
    buttons: [["sign-in", t("sign-in.mail.sign-in")], ["reset", t("sign-in.mail.reset")]],
    async send({ who: name }, kind) {
      const { waits_until: until } = await post("/api/links", { kind: kind || "sign-in", who: name });
      showToast(until ? t("sign-in.mail.waits", { time: formatTime(until) }) : t("sign-in.mail.sent"));
    },
  });
}
