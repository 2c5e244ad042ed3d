// @ts-check
/** The header of every screen (logo, language, theme, settings) and its footer (privacy). */

import { h, svg, update } from "./base/dom.js";
import { drawLogo } from "./base/icons.js";
import { LANGUAGES, language, t } from "./base/words.js";
import { otherTheme, setLanguage, setTheme } from "./people/settings/language_and_theme.js";
import { player } from "./people/sign_in/session.js";

export const header = h("header", { className: "head" });
export const footer = h("footer", { className: "foot" });

/** Redraws both. */
export function drawHeader() {
  update(header,
    h("a", { className: "skip", href: "#main", onclick: skip }, t("skip")),
    h("a", { className: "brand", href: "/" }, drawLogo(), h("span", {}, t("brand"))),
    h("nav", { "aria-label": t("nav") },
      languageButton(),
      h("button", { type: "button", className: "plain", "aria-label": t("theme.other"), title: t("theme.other"), onclick: () => setTheme(otherTheme()) }, halfMoon()),
      h("a", { className: "me-link", href: "/me" }, player()?.name ?? t("me.guest"))));
  update(footer, h("a", { href: `/privacy?lang=${language()}` }, t("export-and-erase.privacy")));
}

/** Language and theme, for the menu of a table. */
export function browserSettings() {
  return [languageButton(), h("button", { type: "button", className: "plain", key: "theme", onclick: () => setTheme(otherTheme()) }, t("theme.other"))];
}

function languageButton() {
  const other = LANGUAGES.find(each => each !== language()) ?? language();
  return h("button", { type: "button", className: "plain", key: "language", lang: other, onclick: () => setLanguage(other) }, t("language.other"));
}

/** @param {MouseEvent} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function halfMoon() {
  return svg("svg", { className: "moon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("circle", { cx: 12, cy: 12, r: 8.5 }),
    svg("path", { d: "M12 3.5A8.5 8.5 0 0 1 12 20.5Z" }));
}
