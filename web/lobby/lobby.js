// @ts-check
/**
 * The first page: the user's tables, the games on offer, and the tables of others.
 *
 * @typedef {import("../base/api.js").Summary} Summary
 * @typedef {import("../base/api.js").RulesetSummary} RulesetSummary
 * @typedef {{rulesets: RulesetSummary[], mine: import("./table_list.js").ListedTable[], open: Summary[], running: Summary[], over: Summary[],
 *   invitations: import("./my_invitations.js").Invitation[]}} Lists
 */

import { Problem, get } from "../base/api.js";
import { h, update } from "../base/dom.js";
import { Polling } from "../base/polling.js";
import { toFinished } from "../base/routes.js";
import { setTitle } from "../base/title_and_icon.js";
import { t } from "../base/words.js";
import { attempt, problemText, showToast } from "../controls/toasts.js";
import { playNow } from "../new_table/open_table.js";
import { loadPlayer, player } from "../sign_in/session.js";
import { drawUndelivered } from "../sign_in/undelivered.js";
import { NO_FILTER, drawFilters, queryOf } from "./filters.js";
import { drawInvitations, loadInvitations } from "./my_invitations.js";
import { drawTableList, freeSeats, mineState, whenText } from "./table_list.js";

const SECONDS = 10;

/** The filter of others' tables, kept while the page is open. */
let filter = NO_FILTER;

/** @param {HTMLElement} main @returns {() => void} */
export function lobbyPage(main) {
  const polling = new Polling(async () => {
    const lists = await load();
    if (main.isConnected) show(main, lists, polling.now);
    return SECONDS;
  }, showFailure);
  return polling.stop;
}

/** If the user was signed out elsewhere, the page follows. @param {unknown} error */
function showFailure(error) {
  showToast(problemText(error));
  if (error instanceof Problem && error.status === 401) attempt(loadPlayer);
}

/** @returns {Promise<Lists>} */
async function load() {
  const [{ rulesets }, mine, open, running, over, unread, invitations] = await Promise.all([
    get("/api/rulesets"),
    player() ? games("mine=true&limit=50") : [],
    games(`status=open${queryOf(filter)}`),
    games(`status=running${queryOf({ ...filter, free: "" })}`),
    games("status=over&limit=5"),
    player() ? unreadBy() : new Map(),
    player() ? loadInvitations() : [],
  ]);
  const here = mine.filter(game => game.status !== "over").map(game => ({ ...game, unread: unread.get(game.id) }));
  const known = new Set(here.map(game => game.id));
  const others = (/** @type {Summary[]} */ list) => list.filter(game => !known.has(game.id));
  return { rulesets, mine: turnsFirst(here), open: others(open), running: others(running), over: finished(mine, over), invitations };
}

/** @param {string} query @returns {Promise<Summary[]>} */
async function games(query) {
  return (await get(`/api/games?${query}`)).games;
}

/** The number of unread messages by game id. @returns {Promise<Map<string, number>>} */
async function unreadBy() {
  const { games: all } = await get("/api/me/unread");
  return new Map(all.map((/** @type {any} */ { id, seats, spectators }) => [id, seats + spectators]));
}

/** @param {import("./table_list.js").ListedTable[]} list */
function turnsFirst(list) {
  return [...list].sort((one, other) => Number(other.waiting_for_you) - Number(one.waiting_for_you));
}

/** The user's games before those of others, without duplicates. @param {Summary[]} mine @param {Summary[]} all */
function finished(mine, all) {
  const over = [...mine.filter(game => game.status === "over").slice(0, 5), ...all];
  return [...new Map(over.map(game => [game.id, game])).values()];
}

/** @param {HTMLElement} main @param {Lists} lists @param {() => void} again reloads it */
function show(main, lists, again) {
  setTitle(lists.mine.some(game => game.waiting_for_you), "");
  update(main,
    h("section", { className: "hero" }, h("h1", {}, t("lobby.title")), h("p", {}, t("lobby.what"))),
    drawUndelivered(h("a", { href: "#/me" }, t("account.title"))),
    lists.invitations.length > 0 && drawInvitations(lists.invitations, again),
    lists.mine.length > 0 && drawSection("lobby.mine", lists.mine, mineState),
    h("section", {}, h("h2", {}, t("lobby.games")), h("div", { className: "games" }, lists.rulesets.map(drawRuleset))),
    drawSection("lobby.open", lists.open, freeSeats, drawFilters(filter, lists.rulesets, wish => {
      filter = { ...filter, ...wish }; // the one drawn may be out of date
      again();
    })),
    lists.running.length > 0 && drawSection("lobby.running", lists.running, whenText),
    lists.over.length > 0 && drawSection("lobby.over", lists.over, whenText),
    player() && h("p", { key: "finished" }, h("a", { href: toFinished("", "") }, t("finished.title"))));
}

/** @param {RulesetSummary} ruleset */
function drawRuleset({ slug, name, summary, author, players }) {
  return h("article", { className: "game", key: slug },
    h("h3", {}, name),
    h("p", {}, summary),
    h("p", { className: "soft small" }, t("lobby.by", { players: playerCounts(players), author })),
    h("div", { className: "buttons" },
      h("button", { type: "button", className: "main", "data-play": slug, onclick: () => playNow(slug, players[0]) },
        t("lobby.play"), h("span", { className: "hidden" }, name)),
      h("a", { className: "button", href: `#/new/${slug}` }, t("lobby.new"), h("span", { className: "hidden" }, name)),
      h("a", { className: "button", href: `#/rules/${slug}` }, t("lobby.rules"), h("span", { className: "hidden" }, name))));
}

/** "2 to 8", or "2 or 4". @param {number[]} players */
function playerCounts(players) {
  const [least, most] = [players[0], players[players.length - 1]];
  const all = players.length > 2 && most - least === players.length - 1;
  return all ? t("number.range", { least, most }) : players.join(t("lobby.or"));
}

/** @param {string} title @param {import("./table_list.js").ListedTable[]} list @param {(game: Summary) => any} state @param {import("../base/dom.js").Child[]} more above the list */
function drawSection(title, list, state, ...more) {
  const none = filter === NO_FILTER ? "lobby.open.none" : "filter.none";
  return h("section", { key: title }, h("h2", {}, t(title)), more, list.length ? drawTableList(list, state) : h("p", { className: "soft" }, t(none)));
}
