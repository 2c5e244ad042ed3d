// @ts-check
/** The finished games of somebody, the last first, a page at a time. */

import { get } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { h, update } from "../../base/dom.js";
import { toTable } from "../../base/routes.js";
import { t } from "../../base/words.js";
import { dayOf, drawTable } from "./drawings.js";

/** @typedef {{game: import("../../base/api.js").Summary, place: number | null, score: number | null, table_score: number | null, close: boolean}} PlayedGame */

/** @param {string} handle */
export async function playedGames(handle) {
  const section = h("section", { className: "sheet", id: "played" });
  /** @type {PlayedGame[]} */
  const games = [];
  await more(null);
  return section;

  /** @param {string | null} cursor */
  async function more(cursor) {
    const page = await attempt(() => get(`/api/players/${handle}/games?limit=20${cursor ? `&cursor=${cursor}` : ""}`));
    if (!page) return;
    games.push(...page.games);
    update(section,
      h("h2", {}, t("player.list")),
      games.length ? drawTable(t("player.list"), HEADS.map(each => t(each)), games.map(row)) : h("p", { className: "soft" }, t("player.list.none")),
      page.next && h("div", { className: "buttons" }, h("button", { type: "button", onclick: () => more(page.next) }, t("history.earlier"))));
  }
}

const HEADS = ["player.day", "player.game", "player.with", "player.place", "player.score.own", "player.score.table"];

/** @param {PlayedGame} played */
function row({ game, place, score, table_score: table, close }) {
  return [
    game.ended_at && dayOf(game.ended_at),
    [h("a", { href: toTable(game.id) }, game.ruleset.name), game.private && mark("player.private"), close && mark("player.close.mark")],
    game.names.join(t("player.and")),
    place ?? "–", score ?? "–", table ?? "–",
  ];
}

/** @param {string} word */
function mark(word) {
  return h("span", { className: "tag" }, t(word));
}
