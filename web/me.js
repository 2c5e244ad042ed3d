// @ts-check
/** Who I am here, and all that I can set: name, account, language, mails, vacation, links, tokens, what is kept. */

import { accountSections } from "./account.js";
import { post } from "./api.js";
import { signal } from "./attention.js";
import { blockedSection } from "./blocked.js";
import { copyField } from "./copy.js";
import { h } from "./dom.js";
import { formOf } from "./fields.js";
import { leavingSection } from "./leaving.js";
import { mailSection } from "./mails.js";
import { attempt, tell } from "./notice.js";
import { changeMe, player, somebody } from "./player.js";
import { THEMES, setLanguage, setTheme, theme } from "./settings.js";
import { signInsSection } from "./signed.js";
import { loadHere, saveHere } from "./store.js";
import { tokensSection } from "./tokens.js";
import { vacationSection } from "./vacation.js";
import { LANGUAGES, language, t } from "./words.js";

/** @param {HTMLElement} main */
export async function me(main) {
  signal(false, t("me.title"));
  const again = () => me(main);
  const title = h("h1", {}, t("me.title"));
  if (!player()) return main.replaceChildren(title, stranger(again), settings());
  const loading = [mailSection(), vacationSection(again), blockedSection(again), signInsSection(again), tokensSection(again)];
  const [mails, vacation, blocks, signIns, tokens] = await Promise.all(loading);
  const [guests, others] = player()?.guest ? [link(again), null] : [null, link(again)];
  const shown = [nameForm(), ...accountSections(again), guests, settings(), mails, vacation, blocks, others, signIns, tokens, leavingSection()];
  if (location.hash === "#/me") main.replaceChildren(title, ...shown.filter(section => section !== null));
}

/** @param {() => void} again */
function stranger(again) {
  const become = async () => (await somebody()) && again();
  return h("section", { className: "sheet" },
    h("p", {}, t("me.nobody")),
    h("div", { className: "buttons" },
      h("button", { type: "button", className: "main", onclick: become }, t("me.become")),
      h("a", { className: "button", href: "#/enter" }, t("enter.title"))));
}

function nameForm() {
  return h("section", { className: "sheet" }, formOf("my", {
    fields: [{ name: "name", label: t("name.label"), required: true, maxlength: 40, autocomplete: "nickname", value: player()?.name }],
    buttons: [["", t("me.save")]],
    async send({ name }) {
      await changeMe({ name: name.trim() });
      tell(t("me.saved"));
    },
  }));
}

function settings() {
  return h("section", { className: "sheet" },
    h("label", { for: "language" }, t("me.language")),
    h("select", { id: "language", onchange: (/** @type {any} */ event) => setLanguage(event.target.value) },
      LANGUAGES.map(each => h("option", { value: each, lang: each, selected: each === language() }, t(`language.${each}`)))),
    h("label", { for: "theme" }, t("me.theme")),
    h("select", { id: "theme", onchange: (/** @type {any} */ event) => setTheme(event.target.value) },
      THEMES.map(each => h("option", { value: each, selected: each === theme() }, t(`theme.${each}`)))));
}

/** @param {() => void} again */
function link(again) {
  const known = loadHere("link");
  const renew = () => attempt(async () => {
    saveHere("link", (await post("/api/me/link")).link.url);
    again();
  });
  return h("section", { className: "sheet" },
    h("h2", {}, t("me.link")),
    h("p", {}, t("me.link.why")),
    known && copyField("my-link", t("me.link"), known),
    h("p", { className: "soft small" }, t("me.link.renew.why")),
    h("div", { className: "buttons" }, h("button", { type: "button", onclick: renew }, t("me.link.renew"))));
}
