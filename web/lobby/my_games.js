// @ts-check
/**
 * The user's games: those that wait for the user, the most urgent first, then those that wait for others.
 *
 * @typedef {import("./table_list.js").ListedTable} ListedTable
 * @typedef {{game: ListedTable, since: string, due: string | null}} Turn
 */

import { h } from "../base/dom.js";
import { timeAgo } from "../base/time_format.js";
import { t } from "../base/words.js";
import { player } from "../people/sign_in/session.js";
import { drawDue } from "../time/deadlines.js";
import { drawTableList, mineState } from "./table_list.js";

/** @param {Turn[]} turns in the order of the service @param {ListedTable[]} mine all that are not over */
export function drawMyGames(turns, mine) {
  const others = mine.filter(({ id }) => !turns.some(({ game }) => game.id === id));
  const byId = new Map(turns.map(turn => [turn.game.id, turn]));
  return [
    turns.length > 0 && h("section", { key: "turns", className: "my-turns" }, h("h2", {}, t("home.turn")),
      drawTableList(turns.map(({ game }) => ({ ...amongOthers(game), unread: mine.find(({ id }) => id === game.id)?.unread })), ({ id }) => turnState(byId.get(id)))),
    others.length > 0 && h("section", { key: "waiting" }, h("h2", {}, t("home.waiting")), drawTableList(others.map(amongOthers), mineState))];
}

/** A table by the names of those whom the user plays with, if there is anybody yet. @template {ListedTable} T @param {T} game @returns {T} */
function amongOthers(game) {
  const mine = game.names.indexOf(player()?.name ?? "");
  const names = game.names.filter((_, n) => n !== mine);
  return names.length ? { ...game, names } : game;
}

/** When others moved last, and how long there is. @param {Turn | undefined} turn */
function turnState(turn) {
  if (!turn) return "";
  return [h("span", {}, t("home.since", { ago: timeAgo(turn.since) || t("home.now") })), drawDue({ seat: 0, since: turn.since, due: turn.due, nudge_from: null })];
}
