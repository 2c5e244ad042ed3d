// @ts-check
/** Signing in: with a password, or by a link that is mailed. */

import { post } from "./api.js";
import { signal } from "./attention.js";
import { h, update } from "./dom.js";
import { formOf } from "./fields.js";
import { tell } from "./notice.js";
import { player, signIn } from "./player.js";
import { go } from "./route.js";
import { t } from "./words.js";

/** @param {HTMLElement} main */
export function enter(main) {
  signal(false, t("enter.title"));
  update(main,
    h("h1", {}, t("enter.title")),
    player()?.guest && h("p", { className: "sheet" }, t("enter.guest", { name: player()?.name ?? "" }), " ", h("a", { href: "#/me" }, t("me.title"))),
    h("section", { className: "sheet" }, h("h2", {}, t("enter.password")), byPassword()),
    h("section", { className: "sheet" }, h("h2", {}, t("enter.mail")), h("p", { className: "soft" }, t("enter.mail.why")), byMail()));
}

/** @param {string} [autocomplete] */
function who(autocomplete = "username") {
  return { name: "who", label: t("enter.who"), required: true, maxlength: 254, autocomplete, autocapitalize: "none", spellcheck: "false" };
}

function byPassword() {
  return formOf("enter", {
    fields: [who(), { name: "password", label: t("password"), type: "password", required: true, maxlength: 200, autocomplete: "current-password" }],
    buttons: [["", t("enter.do")]],
    async send({ who: name, password }) {
      await signIn({ who: name, password });
      tell(t("back.welcome", { name: player()?.name ?? "" }));
      go("#/");
    },
  });
}

function byMail() {
  return formOf("mail", {
    fields: [who("email")],
    buttons: [["sign-in", t("enter.mail.sign-in")], ["reset", t("enter.mail.reset")]],
    async send({ who: name }, kind) {
      await post("/api/links", { kind: kind || "sign-in", who: name });
      tell(t("enter.mail.sent"));
    },
  });
}
