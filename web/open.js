// @ts-check
/**
 * A new table: options as the ruleset declares them, how many play, who may come.
 *
 * @typedef {import("./api.js").Ruleset} Ruleset
 * @typedef {{value: any, title: string}} Choice
 */

import { get } from "./api.js";
import { signal } from "./attention.js";
import { h, update } from "./dom.js";
import { attempt } from "./notice.js";
import { openTable } from "./opening.js";
import { t } from "./words.js";

/** @param {HTMLElement} main @param {string} slug */
export async function open(main, slug) {
  /** @type {Ruleset | undefined} */
  const ruleset = await attempt(() => get(`/api/rulesets/${slug}`));
  if (!ruleset) return;
  signal(false, t("open.title", { name: ruleset.name }));
  show(main, ruleset, ruleset.players[0]);
}

/** @param {HTMLElement} main @param {Ruleset} ruleset @param {number} players */
function show(main, ruleset, players) {
  const options = ruleset.options[players]?.properties ?? {};
  update(main,
    h("h1", {}, t("open.title", { name: ruleset.name })),
    h("p", {}, ruleset.summary, " ", h("a", { href: `#/rules/${ruleset.slug}` }, t("lobby.rules"))),
    h("form", { className: "sheet", onsubmit: (/** @type {SubmitEvent} */ event) => submit(event, ruleset, options) },
      ruleset.players.length > 1 && radios("players", t("open.players"), ruleset.players.map(count => ({ value: count, title: String(count) })),
        players, value => show(main, ruleset, value)),
      ruleset.players.length === 1 && h("input", { type: "hidden", name: "players", value: "0" }),
      Object.entries(options).map(([name, { title, description, oneOf, default: usual }]) =>
        radios(`option.${name}`, title, oneOf.map(each => ({ value: each.const, title: each.title })), usual, undefined, description)),
      radios("house", t("open.house"), [...Array(players).keys()].map(count => ({ value: count, title: String(count) })), 0),
      radios("private", t("open.who"), [{ value: false, title: t("open.public") }, { value: true, title: t("open.private") }], false),
      radios("start", t("open.start"), [{ value: "full", title: t("open.start.full") }, { value: "host", title: t("open.start.host") }], "full"),
      h("div", { className: "buttons" }, h("button", { className: "main" }, t("open.do")))));
}

/**
 * One question with a few answers; what is submitted is the number of the answer.
 * @param {string} name @param {string} title @param {Choice[]} choices @param {any} usual
 * @param {(value: any) => void} [changed] @param {string} [description]
 */
function radios(name, title, choices, usual, changed, description) {
  return h("fieldset", { key: name },
    h("legend", {}, title),
    description && h("p", { className: "soft small" }, description),
    h("div", { className: "choices" }, choices.map(({ value, title: text }, n) =>
      h("label", { className: "choice" },
        h("input", { type: "radio", name, value: n, checked: value === usual, onchange: () => changed?.(value) }), text))));
}

/** @param {SubmitEvent} event @param {Ruleset} ruleset @param {Record<string, import("./api.js").Option>} options */
async function submit(event, ruleset, options) {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const answer = (/** @type {string} */ name) => Number(form.get(name));
  await openTable({
    ruleset: ruleset.slug,
    players: ruleset.players[answer("players")],
    options: Object.fromEntries(Object.entries(options).map(([name, { oneOf }]) => [name, oneOf[answer(`option.${name}`)].const])),
    house: answer("house"),
    private: answer("private") === 1,
    start: ["full", "host"][answer("start")],
  });
}
