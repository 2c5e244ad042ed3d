// @ts-check
/** The user's finished games, a page at a time: all, of one ruleset, or with one person. */

import { get } from "../base/api.js";
import { attempt } from "../base/controls/toasts.js";
import { h, update } from "../base/dom.js";
import { goTo, toFinished } from "../base/routes.js";
import { setTitle } from "../base/controls/title_and_icon.js";
import { t } from "../base/words.js";
import { queryOf } from "./filters.js";
import { drawTableList, outcomeText } from "./table_list.js";

/** @param {HTMLElement} main @param {string} ruleset its slug, or "" for all @param {string} tenure of the person, or "" for everybody */
export async function finishedGamesPage(main, ruleset, tenure) {
  setTitle(false, t("finished.title"));
  const known = await attempt(() => get("/api/rulesets"));
  if (!known) return;
  const query = `mine=true&status=over${queryOf({ ruleset })}${tenure && `&with=${tenure}`}`;
  /** @type {import("../base/api.js").Summary[]} */
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
        h("select", { id: "of", ".value": ruleset, onchange: (/** @type {any} */ event) => goTo(toFinished(event.target.value, tenure)) },
          [{ slug: "", name: t("filter.any") }, ...known.rulesets].map(({ slug, name }) => h("option", { value: slug }, name)))),
      tenure && h("p", {}, t("finished.with"), " ", h("a", { href: toFinished(ruleset, "") }, t("finished.all"))),
      games.length ? drawTableList(games, outcomeText) : h("p", { className: "soft" }, t("finished.none")),
      next && h("div", { className: "buttons" }, h("button", { type: "button", onclick: () => more(next) }, t("history.earlier"))),
      h("div", { className: "buttons" }, h("a", { className: "button", href: "/" }, t("to.lobby"))));
  }
}
