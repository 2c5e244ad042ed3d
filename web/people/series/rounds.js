// @ts-check
/**
 * The rounds of a series with their tables, the present one first, and those of the user that are not over.
 *
 * @typedef {import("./series_page.js").Series} Series
 * @typedef {import("./series_page.js").Table} Table
 * @typedef {import("./series_page.js").Summary} Summary
 */

import { h } from "../../base/dom.js";
import { toTable } from "../../base/routes.js";
import { hasWords, t } from "../../base/words.js";

/** The states of tables that are still to be played. */
const AHEAD = ["waiting", "running"];

/** @param {Series} series @param {Summary[]} mine the user's tables anywhere @param {import("./series_page.js").DrawTables} drawTables */
export function drawMyTables(series, mine, drawTables) {
  const { entry, tables, status } = series;
  const ahead = entry && status !== "over" ? tables.filter(({ people, state }) => people.includes(entry.id) && AHEAD.includes(state)) : [];
  if (!ahead.length) return null;
  const known = mine.filter(({ id }) => ahead.some(({ game }) => game === id));
  const others = ahead.filter(({ game }) => !known.some(({ id }) => id === game));
  return h("section", { key: "mine" },
    h("h2", {}, t("series.mine")),
    known.length > 0 && drawTables.list(known, drawTables.seated),
    others.length > 0 && h("ul", { className: "item-list", key: "ahead" }, others.map(each => h("li", {}, h("span", {}, t("series.round", { n: each.round }), t("colon"), drawTable(series, each))))));
}

/** @param {Series} series */
export function drawRounds(series) {
  const numbers = [...new Set(series.tables.map(({ round }) => round))].sort((a, b) => b - a);
  return numbers.map(number => drawRound(series, number));
}

/** Rounds that are over are folded away. @param {Series} series @param {number} number */
function drawRound(series, number) {
  const title = t("series.round", { n: number });
  const list = h("ul", { className: "item-list" }, series.tables.filter(({ round }) => round === number).map(each => h("li", {}, h("span", {}, drawTable(series, each)))));
  if (number < series.round) return h("details", { className: "more", key: `round-${number}` }, h("summary", {}, title), list);
  return h("section", { key: `round-${number}` }, h("h2", {}, title), list);
}

/** Who meets, with their places if these are known, and how far the game is. @param {Series} series @param {Table} table */
function drawTable(series, table) {
  const { game, state } = table;
  const names = namesOf(series, table).join(t("comma"));
  const key = `series.state.${state}`;
  return [game ? h("a", { href: toTable(game) }, names) : names, hasWords(key) && h("small", { className: "soft" }, t(key))];
}

/** Those who meet, the best first. @param {Series} series @param {Table} table */
function namesOf({ standings }, { people, places }) {
  const names = new Map(standings.map(({ id, name }) => [id, name]));
  const met = people.map((id, n) => ({ name: names.get(id) ?? "", place: places?.[n] ?? Infinity }));
  return met.sort((a, b) => (a.place === b.place ? 0 : a.place - b.place)).map(({ name, place }) => (place < Infinity ? t("series.at", { place, name }) : name));
}
