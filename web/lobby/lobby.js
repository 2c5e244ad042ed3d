// @ts-check
/**
 * The first page: the user's tables, the games on offer, and the tables of others.
 *
 * @typedef {import("../base/api.js").Summary} Summary
 * @typedef {import("../base/api.js").RulesetSummary} RulesetSummary
 * @typedef {{rulesets: RulesetSummary[], mine: import("./table_list.js").ListedTable[], hasPlayed: boolean, turns: import("./my_games.js").Turn[], open: Summary[], running: Summary[], over: Summary[], mineOver: Summary[], leftOut: boolean,
 *   invitations: import("./my_invitations.js").Invitation[], lesson: import("../base/api.js").Game | null}} Lists
 */

import { Asking, Problem, get } from "../base/api.js";
import { attempt, problemText, showToast } from "../base/controls/toasts.js";
import { h, update } from "../base/dom.js";
import { Polling } from "../base/polling.js";
import { DAILY, PEOPLE, RATINGS, SERIES, toFinished } from "../base/routes.js";
import { setTitle } from "../base/controls/title_and_icon.js";
import { t } from "../base/words.js";
import { openedOffline } from "../base/worker_registration.js";
import { lessonUnderWay } from "../rules_page/lesson.js";
import { loadPlayer, player } from "../people/sign_in/session.js";
import { drawNeverDelivered, drawUndelivered } from "../people/sign_in/undelivered.js";
import { NO_FILTER, drawFilters, queryOf } from "./filters.js";
import { drawShelf, drawWelcome } from "./game_shelf.js";
import { asSummary, showKeptTables } from "./kept_tables_list.js";
import { watchMiniatures } from "./miniatures.js";
import { drawMyGames } from "./my_games.js";
import { drawInvitations, loadInvitations } from "./my_invitations.js";
import { drawTableList, freeSeats, outcomeText, whenText } from "./table_list.js";

const SECONDS = 10;
/** How many of the user's finished games are listed. */
const MOST_FINISHED = 5;

/** The filter of others' tables, kept while the page is open. */
let filter = NO_FILTER;

/** @param {HTMLElement} main @param {import("./miniatures.js").DrawTable} drawTable @returns {() => void} */
export function lobbyPage(main, drawTable) {
  let stopWatching = () => {};
  const asking = new Asking();
  /** What can be played stays the same while the page is open. @type {Promise<{rulesets: RulesetSummary[]}> | null} */
  let offered = null;
  const loadOffered = () => {
    offered ??= get("/api/rulesets");
    offered.catch(() => { offered = null; }); // asked for again
    return offered;
  };
  const polling = new Polling(async () => {
    if (openedOffline()) await showKeptTables(main);
    const lists = await load(asking, loadOffered());
    if (!main.isConnected) return Infinity; // it was left meanwhile
    show(main, lists, polling.now);
    stopWatching();
    stopWatching = watchMiniatures(main, drawTable);
    return SECONDS;
  }, error => showFailure(main, error));
  return () => {
    polling.stop();
    stopWatching();
  };
}

/** If the user was signed out elsewhere, the page follows; without a connection there are the tables that this browser kept. @param {HTMLElement} main @param {unknown} error */
function showFailure(main, error) {
  if (error instanceof Problem && error.slug === "offline" && !main.querySelector("[data-key=shelf]")) return showKeptTables(main);
  showToast(problemText(error));
  if (error instanceof Problem && error.status === 401) attempt(loadPlayer);
}

/** @param {Asking} asking @param {Promise<{rulesets: RulesetSummary[]}>} offered @returns {Promise<Lists>} */
async function load(asking, offered) {
  const games = async (/** @type {string} */ query) => (await asking.get(`/api/games?${query}`)).games;
  const [{ rulesets }, mine, open, running, over, unread, invitations, { turns }, lesson] = await Promise.all([
    offered,
    player() ? games("mine=true&limit=50") : [],
    asking.get(`/api/games?status=open${queryOf(filter)}`),
    games(`status=running${queryOf({ ...filter, free: "", beside_blocked: "" })}`),
    games("status=over&limit=5"),
    player() ? unreadBy(asking) : new Map(),
    player() ? loadInvitations(asking) : [],
    player() ? asking.get("/api/me/turns") : { turns: [] },
    player() ? lessonUnderWay() : null,
  ]);
  const here = mine.filter(game => game.status !== "over").map(game => ({ ...game, unread: unread.get(game.id) }));
  const known = new Set(mine.map(game => game.id));
  const others = (/** @type {Summary[]} */ list) => list.filter(game => !known.has(game.id));
  return { rulesets, mine: here, hasPlayed: mine.length > 0, turns, open: others(open.games), leftOut: open.left_out === true, running: others(running), over: others(over), mineOver: mine.filter(({ status }) => status === "over").slice(0, MOST_FINISHED), invitations, lesson };
}

/** The number of unread messages by game id. @param {Asking} asking @returns {Promise<Map<string, number>>} */
async function unreadBy(asking) {
  const { games: all } = await asking.get("/api/me/unread");
  return new Map(all.map((/** @type {any} */ { id, seats, spectators }) => [id, seats + spectators]));
}

/** Whoever has games sees them first, whoever is new what a game is like. @param {HTMLElement} main @param {Lists} lists @param {() => void} again reloads it */
function show(main, lists, again) {
  const isNew = !lists.hasPlayed && lists.invitations.length === 0;
  const hasToFilter = filter !== NO_FILTER || lists.open.length + lists.running.length > 0; // filters of nothing would help nobody
  setTitle(lists.turns.length > 0, "");
  update(main,
    isNew ? drawWelcome(lists.rulesets) : h("h1", { className: "hidden", key: "title" }, t("lobby.title")),
    drawUndelivered(toAccount()),
    drawNeverDelivered(toAccount()),
    drawMyGames(lists.turns, lists.mine),
    lists.lesson && drawSection("lesson", [asSummary(lists.lesson)], lessonState),
    lists.invitations.length > 0 && drawInvitations(lists.invitations, again),
    drawMineOver(lists),
    drawShelf(lists.rulesets),
    h("p", { key: "daily" }, h("a", { href: DAILY }, t("lobby.daily"))),
    h("p", { key: "ratings" }, h("a", { href: RATINGS }, t("lobby.ratings"))),
    h("p", { key: "series" }, h("a", { href: SERIES }, t("series.title"))),
    drawSection("lobby.open", lists.open, freeSeats, hasToFilter && drawFilters(filter, lists.rulesets, change), lists.leftOut && drawLeftOut()),
    lists.running.length > 0 && drawSection("lobby.running", lists.running, whenText),
    lists.over.length > 0 && drawSection("lobby.over", lists.over, whenText));

  /** @param {Partial<typeof filter>} wish */
  function change(wish) {
    filter = { ...filter, ...wish }; // the one drawn may be out of date
    again();
  }

  /** Tables at which somebody sits whom the user has blocked. */
  function drawLeftOut() {
    const show = () => change({ beside_blocked: "true" });
    return h("p", { className: "soft", key: "left-out" }, t("lobby.left-out"), " ", h("button", { type: "button", id: "left-out", onclick: show }, t("lobby.left-out.show")));
  }
}

/** How far a lesson is: the one that is listed is the one to go on with. @param {any} game */
function lessonState({ lesson: { step, steps } }) {
  return h("b", {}, t("lesson.step", { step, steps }));
}

/** Where somebody mends their address. */
function toAccount() {
  return h("a", { href: "/me" }, t("account.title"));
}

/** The user's games that ended last. @param {Lists} lists */
function drawMineOver({ mineOver }) {
  return [
    mineOver.length > 0 && drawSection("home.over", mineOver, outcomeText),
    player() && h("p", { key: "finished" }, h("a", { href: toFinished("", "") }, t("finished.title"))),
    player() && h("p", { key: "people" }, h("a", { href: PEOPLE }, t("people.title")))];
}

/** @param {string} title @param {import("./table_list.js").ListedTable[]} list @param {(game: Summary) => any} state @param {import("../base/dom.js").Child[]} more above the list */
function drawSection(title, list, state, ...more) {
  const none = filter === NO_FILTER ? "lobby.open.none" : "filter.none";
  return h("section", { key: title }, h("h2", {}, t(title)), more, list.length ? drawTableList(list, state) : h("p", { className: "soft" }, t(none)));
}
