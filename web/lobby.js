// @ts-check
/**
 * The first page: my tables, the games one can play, and everybody's tables.
 *
 * @typedef {import("./api.js").Summary} Summary
 * @typedef {import("./api.js").RulesetSummary} RulesetSummary
 * @typedef {{rulesets: RulesetSummary[], mine: import("./rows.js").Row[], open: Summary[], running: Summary[], over: Summary[],
 *   invitations: import("./invited.js").Invitation[]}} Lists
 */

import { Problem, get } from "./api.js";
import { signal } from "./attention.js";
import { h, update } from "./dom.js";
import { ALL, drawFilters, queryOf } from "./filters.js";
import { toFinished } from "./finished.js";
import { follow } from "./follow.js";
import { drawInvitations, myInvitations } from "./invited.js";
import { attempt, tell, worded } from "./notice.js";
import { playNow } from "./opening.js";
import { player, recall } from "./player.js";
import { freeSeats, mineState, rows, since } from "./rows.js";
import { t } from "./words.js";

const SECONDS = 10;

/** Which tables of strangers are shown; it stays while the page is open. */
let filter = ALL;

/** @param {HTMLElement} main @returns {() => void} */
export function lobby(main) {
  const following = follow(async () => {
    show(main, await load(), following.now);
    return SECONDS;
  }, lost);
  return following.stop;
}

/** Somebody who was signed out elsewhere is nobody here from now on. @param {unknown} error */
function lost(error) {
  tell(worded(error));
  if (error instanceof Problem && error.status === 401) attempt(recall);
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
    player() ? myInvitations() : [],
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

/** How much was said that I have not read, by the game's id. @returns {Promise<Map<string, number>>} */
async function unreadBy() {
  const { games: all } = await get("/api/me/unread");
  return new Map(all.map((/** @type {any} */ { id, seats, spectators }) => [id, seats + spectators]));
}

/** @param {import("./rows.js").Row[]} list */
function turnsFirst(list) {
  return [...list].sort((one, other) => Number(other.waiting_for_you) - Number(one.waiting_for_you));
}

/** Mine before others', none twice. @param {Summary[]} mine @param {Summary[]} all */
function finished(mine, all) {
  const over = [...mine.filter(game => game.status === "over").slice(0, 5), ...all];
  return [...new Map(over.map(game => [game.id, game])).values()];
}

/** @param {HTMLElement} main @param {Lists} lists @param {() => void} again looks anew */
function show(main, lists, again) {
  signal(lists.mine.some(game => game.waiting_for_you), "");
  update(main,
    h("section", { className: "hero" }, h("h1", {}, t("lobby.title")), h("p", {}, t("lobby.what"))),
    lists.invitations.length > 0 && drawInvitations(lists.invitations, again),
    lists.mine.length > 0 && section("lobby.mine", lists.mine, mineState),
    h("section", {}, h("h2", {}, t("lobby.games")), h("div", { className: "games" }, lists.rulesets.map(game))),
    section("lobby.open", lists.open, freeSeats, drawFilters(filter, lists.rulesets, wish => {
      filter = { ...filter, ...wish }; // the one that is drawn may be older
      again();
    })),
    lists.running.length > 0 && section("lobby.running", lists.running, since),
    lists.over.length > 0 && section("lobby.over", lists.over, since),
    player() && h("p", { key: "finished" }, h("a", { href: toFinished("", "") }, t("finished.title"))));
}

/** @param {RulesetSummary} ruleset */
function game({ slug, name, summary, author, players }) {
  return h("article", { className: "game", key: slug },
    h("h3", {}, name),
    h("p", {}, summary),
    h("p", { className: "soft small" }, t("lobby.by", { players: counts(players), author })),
    h("div", { className: "buttons" },
      h("button", { type: "button", className: "main", "data-play": slug, onclick: () => playNow(slug, players[0]) },
        t("lobby.play"), h("span", { className: "hidden" }, name)),
      h("a", { className: "button", href: `#/new/${slug}` }, t("lobby.new"), h("span", { className: "hidden" }, name)),
      h("a", { className: "button", href: `#/rules/${slug}` }, t("lobby.rules"), h("span", { className: "hidden" }, name))));
}

/** "2 to 8", or "2 or 4". @param {number[]} players */
function counts(players) {
  const [least, most] = [players[0], players[players.length - 1]];
  const all = players.length > 2 && most - least === players.length - 1;
  return all ? t("number.range", { least, most }) : players.join(t("lobby.or"));
}

/** @param {string} title @param {import("./rows.js").Row[]} list @param {(game: Summary) => any} state @param {import("./dom.js").Child[]} more above the list */
function section(title, list, state, ...more) {
  const none = filter === ALL ? "lobby.open.none" : "filter.none";
  return h("section", { key: title }, h("h2", {}, t(title)), more, list.length ? rows(list, state) : h("p", { className: "soft" }, t(none)));
}
