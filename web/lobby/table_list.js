// @ts-check
/**
 * A list of tables.
 *
 * @typedef {import("../base/api.js").Summary} Summary
 * @typedef {Summary & {unread?: number}} ListedTable  `unread`: the number of unread messages.
 */

import { h } from "../base/dom.js";
import { toTable } from "../base/routes.js";
import { timeAgo } from "../base/time_format.js";
import { t } from "../base/words.js";
import { drawStamp } from "../cards/stamp.js";
import { paceName } from "../time/paces.js";

/** @param {ListedTable[]} list @param {(game: Summary) => any} state */
export function drawTableList(list, state) {
  return h("ul", { className: "tables" }, list.map(each => drawRow(each, state)));
}

/** @param {ListedTable} game @param {(game: Summary) => any} state */
function drawRow(game, state) {
  const rated = game.status === "open" && game.rated && t("rated");
  const pace = game.status !== "over" && game.pace.kind !== "none" && paceName(game.pace);
  return h("li", { key: game.id },
    h("a", { href: toTable(game.id) }, drawStamp(game.ruleset.slug, game.ended_at),
      h("strong", {}, game.ruleset.name, game.unread && h("span", { className: "badge", role: "img", "aria-label": t("talk.unread", { n: game.unread }) }, game.unread)),
      h("span", { className: "names" }, [game.names.join(t("comma")), pace, rated].filter(Boolean).join(t("then"))),
      h("span", { className: "state" }, state(game))));
}

/** @param {Summary} game */
export function mineState(game) {
  if (game.waiting_for_you) return h("b", { className: "turn" }, t("turn.yours"));
  return game.status === "open" ? freeSeats(game) : t("turn.others");
}

/** @param {Summary} game */
export function freeSeats(game) {
  return t("lobby.seated", { seated: game.seated, players: game.players });
}

/** Whether the user won, and when. @param {Summary} game */
export function outcomeText(game) {
  return [game.outcome && h("b", { className: `outcome ${game.outcome}` }, t(`outcome.${game.outcome}`)), h("span", {}, whenText(game))];
}

/** @param {Summary} game */
export function whenText(game) {
  return timeAgo(game.ended_at ?? game.created_at);
}
