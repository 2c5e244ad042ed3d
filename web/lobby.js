// @ts-check
/**
 * The first page: my tables, the games one can play, and everybody's tables.
 *
 * @typedef {import("./api.js").Summary} Summary
 * @typedef {import("./api.js").RulesetSummary} RulesetSummary
 * @typedef {{rulesets: RulesetSummary[], mine: Summary[], open: Summary[], running: Summary[], over: Summary[]}} Lists
 */

import { get } from "./api.js";
import { signal } from "./attention.js";
import { h, update } from "./dom.js";
import { follow } from "./follow.js";
import { tell, worded } from "./notice.js";
import { playNow } from "./opening.js";
import { player } from "./player.js";
import { toTable } from "./route.js";
import { ago } from "./time.js";
import { t } from "./words.js";

const SECONDS = 10;

/** @param {HTMLElement} main @returns {() => void} */
export function lobby(main) {
  const following = follow(async () => {
    show(main, await load());
    return SECONDS;
  }, error => tell(worded(error)));
  return following.stop;
}

/** @returns {Promise<Lists>} */
async function load() {
  const [{ rulesets }, mine, open, running, over] = await Promise.all([
    get("/api/rulesets"),
    player() ? games("mine=true&limit=50") : [],
    games("status=open"),
    games("status=running"),
    games("status=over&limit=5"),
  ]);
  const here = mine.filter(game => game.status !== "over");
  const known = new Set(here.map(game => game.id));
  const others = (/** @type {Summary[]} */ list) => list.filter(game => !known.has(game.id));
  return { rulesets, mine: turnsFirst(here), open: others(open), running: others(running), over: finished(mine, over) };
}

/** @param {string} query @returns {Promise<Summary[]>} */
async function games(query) {
  return (await get(`/api/games?${query}`)).games;
}

/** @param {Summary[]} list */
function turnsFirst(list) {
  return [...list].sort((one, other) => Number(other.waiting_for_you) - Number(one.waiting_for_you));
}

/** Mine before others', none twice. @param {Summary[]} mine @param {Summary[]} all */
function finished(mine, all) {
  const over = [...mine.filter(game => game.status === "over").slice(0, 5), ...all];
  return [...new Map(over.map(game => [game.id, game])).values()];
}

/** @param {HTMLElement} main @param {Lists} lists */
function show(main, lists) {
  signal(lists.mine.some(game => game.waiting_for_you), "");
  update(main,
    h("section", { className: "hero" }, h("h1", {}, t("lobby.title")), h("p", {}, t("lobby.what"))),
    lists.mine.length > 0 && section("lobby.mine", lists.mine, mineState),
    h("section", {}, h("h2", {}, t("lobby.games")), h("div", { className: "games" }, lists.rulesets.map(game))),
    section("lobby.open", lists.open, freeSeats),
    lists.running.length > 0 && section("lobby.running", lists.running, since),
    lists.over.length > 0 && section("lobby.over", lists.over, since));
}

/** @param {RulesetSummary} ruleset */
function game({ slug, name, summary, author, players }) {
  return h("article", { className: "game", key: slug },
    h("h3", {}, name),
    h("p", {}, summary),
    h("p", { className: "soft small" }, t("lobby.by", { players: players.join(t("lobby.or")), author })),
    h("div", { className: "buttons" },
      h("button", { type: "button", className: "main", "data-play": slug, onclick: () => playNow(slug, players[0]) },
        t("lobby.play"), h("span", { className: "hidden" }, name)),
      h("a", { className: "button", href: `#/new/${slug}` }, t("lobby.new"), h("span", { className: "hidden" }, name)),
      h("a", { className: "button", href: `#/rules/${slug}` }, t("lobby.rules"), h("span", { className: "hidden" }, name))));
}

/** @param {string} title @param {Summary[]} list @param {(game: Summary) => any} state */
function section(title, list, state) {
  return h("section", { key: title }, h("h2", {}, t(title)), list.length
    ? h("ul", { className: "tables" }, list.map(each => row(each, state)))
    : h("p", { className: "soft" }, t("lobby.open.none")));
}

/** @param {Summary} game @param {(game: Summary) => any} state */
function row(game, state) {
  return h("li", { key: game.id },
    h("a", { href: toTable(game.id) },
      h("strong", {}, game.ruleset.name),
      h("span", { className: "names" }, game.names.join(t("comma"))),
      h("span", { className: "state" }, state(game))));
}

/** @param {Summary} game */
function mineState(game) {
  if (game.waiting_for_you) return h("b", { className: "turn" }, t("turn.yours"));
  return game.status === "open" ? freeSeats(game) : t("turn.others");
}

/** @param {Summary} game */
function freeSeats(game) {
  return t("lobby.seated", { seated: game.seated, players: game.players });
}

/** @param {Summary} game */
function since(game) {
  return ago(game.ended_at ?? game.created_at);
}
