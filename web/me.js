// @ts-check
/** Who I am here: name, language, the secret link to keep, tokens for programs, signing out. */

import { ask, get, post } from "./api.js";
import { signal } from "./attention.js";
import { copyField } from "./copy.js";
import { h } from "./dom.js";
import { attempt, tell } from "./notice.js";
import { changeMe, player, signOut, somebody } from "./player.js";
import { go } from "./route.js";
import { THEMES, setLanguage, setTheme, theme } from "./settings.js";
import { loadHere, saveHere } from "./store.js";
import { clock } from "./time.js";
import { LANGUAGES, language, t } from "./words.js";

/** @typedef {{id: string, label: string, created_at: string}} Token */

/** @param {HTMLElement} main */
export async function me(main) {
  signal(false, t("me.title"));
  /** @type {Token[]} */
  const tokens = player() ? ((await attempt(() => get("/api/me/tokens")))?.tokens ?? []) : [];
  const again = () => me(main);
  main.replaceChildren(
    h("h1", {}, t("me.title")),
    player() ? nameForm() : stranger(again),
    settings(),
    ...(player() ? [link(again), tokensSection(tokens, again), signOutSection()] : []));
}

/** @param {() => void} again */
function stranger(again) {
  const become = async () => (await somebody()) && again();
  return h("section", { className: "sheet" },
    h("p", {}, t("me.nobody")),
    h("div", { className: "buttons" }, h("button", { type: "button", className: "main", onclick: become }, t("me.become"))));
}

function signOutSection() {
  return h("section", { className: "sheet" },
    h("h2", {}, t("me.out")),
    h("p", { className: "soft" }, t("me.out.why")),
    h("div", { className: "buttons" }, h("button", { type: "button", onclick: leave }, t("me.out"))));
}

async function leave() {
  await attempt(signOut);
  go("#/");
}

function nameForm() {
  const field = h("input", { id: "my-name", required: true, maxlength: 40, autocomplete: "nickname", value: player()?.name });
  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    await attempt(async () => {
      await changeMe({ name: field.value.trim() });
      tell(t("me.saved"));
    });
  }
  return h("form", { className: "sheet", onsubmit: submit },
    h("label", { for: "my-name" }, t("name.label")), field,
    h("div", { className: "buttons" }, h("button", {}, t("me.save"))));
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

/** @param {Token[]} tokens @param {() => void} again */
function tokensSection(tokens, again) {
  const label = h("input", { id: "label", required: true, maxlength: 60 });
  const made = h("div", {});
  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    await attempt(async () => {
      const { token } = await post("/api/me/tokens", { label: label.value.trim() });
      made.replaceChildren(h("p", {}, t("me.token.once")), copyField("token", token.label, token.secret));
    });
  }
  const revoke = (/** @type {string} */ id) => attempt(async () => {
    await ask("DELETE", `/api/me/tokens/${id}`);
    again();
  });
  return h("section", { className: "sheet" },
    h("h2", {}, t("me.tokens")),
    h("p", { className: "soft" }, t("me.tokens.why"), " ", h("a", { href: "/openapi.yaml" }, "openapi.yaml")),
    h("ul", { className: "tokens" }, tokens.map(({ id, label: name, created_at: at }) => h("li", { key: id },
      h("span", {}, name, h("small", { className: "soft" }, clock(at))),
      h("button", { type: "button", "aria-label": t("me.token.revoke.which", { label: name }), onclick: () => revoke(id) }, t("me.token.revoke"))))),
    h("form", { onsubmit: submit }, h("label", { for: "label" }, t("me.token.label")), label, made,
      h("div", { className: "buttons" }, h("button", {}, t("me.token.make")))));
}
