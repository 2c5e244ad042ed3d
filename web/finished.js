// @ts-check
/** My finished games: all, of one ruleset, or with one person; a page at a time. */

import { get } from "./api.js";
import { signal } from "./attention.js";
import { h, update } from "./dom.js";
import { queryOf } from "./filters.js";
import { attempt } from "./notice.js";
import { go } from "./route.js";
import { rows, since } from "./rows.js";
import { t } from "./words.js";

/** @param {HTMLElement} main @param {string} ruleset its slug, or "" @param {string} tenure of the person at a game, or "" */
export async function finished(main, ruleset, tenure) {
  signal(false, t("finished.title"));
  const known = await attempt(() => get("/api/rulesets"));
  if (!known) return;
  const query = `mine=true&status=over${queryOf({ ruleset })}${tenure && `&with=${tenure}`}`;
  /** @type {import("./api.js").Summary[]} */
  const games = [];
  await more(null);

  /** @param {string | null} cursor */
  async function more(cursor) {
    const page = await attempt(() => get(`/api/games?${query}${cursor ? `&cursor=${cursor}` : ""}`));
    if (!page) return;
    games.push(...page.games);
    show(page.next);
  }

  /** @param {string | null} next */
  function show(next) {
    update(main,
      h("h1", {}, t("finished.title")),
      h("div", { className: "field" }, h("label", { for: "of" }, t("filter.ruleset")),
        h("select", { id: "of", ".value": ruleset, onchange: (/** @type {any} */ event) => go(toFinished(event.target.value, tenure)) },
          [{ slug: "", name: t("filter.any") }, ...known.rulesets].map(({ slug, name }) => h("option", { value: slug }, name)))),
      tenure && h("p", {}, t("finished.with"), " ", h("a", { href: toFinished(ruleset, "") }, t("finished.all"))),
      games.length ? rows(games, since) : h("p", { className: "soft" }, t("finished.none")),
      next && h("div", { className: "buttons" }, h("button", { type: "button", onclick: () => more(next) }, t("history.earlier"))),
      h("div", { className: "buttons" }, h("a", { className: "button", href: "#/" }, t("to.lobby"))));
  }
}

/** @param {string} ruleset @param {string} tenure */
export function toFinished(ruleset, tenure) {
  return `#/finished?ruleset=${ruleset}&with=${tenure}`;
}
