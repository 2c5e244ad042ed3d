// @ts-check
/** Settings of this browser: language and theme. */

import { loadModule } from "../../base/api.js";
import { load, save } from "../../base/browser_storage.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { LANGUAGES, language, loadLanguage, t } from "../../base/words.js";
import { changeMe, player } from "../sign_in/session.js";

const THEMES = ["auto", "light", "dark"];

/** @type {() => void} */
let changed = () => {};

/** Calls `then` when the page has to be redrawn. @param {() => void} then */
export function onChange(then) {
  changed = then;
}

/** The theme that the user chose; "auto" follows the device. */
export function theme() {
  return load("theme") ?? "auto";
}

/** @param {string} wished */
export function setTheme(wished) {
  save("theme", wished === "auto" ? null : wished);
  applyTheme();
  changed();
}

export function applyTheme() {
  if (theme() === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme();
}

/** Dark if the page is light now, and vice versa. */
export function otherTheme() {
  const dark = theme() === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : theme() === "dark";
  return dark ? "light" : "dark";
}

/** @param {string} wished */
export async function setLanguage(wished) {
  await attempt(async () => {
    await loadModule(loadLanguage(wished));
    save("language", wished);
    if (player()) await changeMe({ language: wished });
  });
  changed();
}

export function languageAndThemeSection() {
  return h("section", { className: "sheet" },
    h("label", { for: "language" }, t("me.language")),
    h("select", { id: "language", onchange: (/** @type {any} */ event) => setLanguage(event.target.value) },
      LANGUAGES.map(each => h("option", { value: each, lang: each, selected: each === language() }, t(`language.${each}`)))),
    h("label", { for: "theme" }, t("me.theme")),
    h("select", { id: "theme", onchange: (/** @type {any} */ event) => setTheme(event.target.value) },
      THEMES.map(each => h("option", { value: each, selected: each === theme() }, t(`theme.${each}`)))));
}
