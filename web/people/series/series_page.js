// @ts-check
/**
 * A series: its terms, the user's place and tables, its standings with what decides between equals, and its rounds.
 *
 * @typedef {import("../../base/api.js").Summary} Summary
 * @typedef {{id: string, circle: string | null, name: string, season: number, status: string, ruleset: string, game: string, round: number, ends_at: string | null, people: number}} SeriesSummary
 * @typedef {{id: string, name: string, you: boolean}} Person
 * @typedef {Person & {place: number, points: number, games: number, won: number, out: number, against: number, opposition: number}} Standing
 * @typedef {{round: number, people: string[], game: string | null, state: string, places: (number | null)[] | null}} Table
 * @typedef {{id: string, at_once: number, plays: boolean}} Entry
 * @typedef {SeriesSummary & {system: string | null, seats: number, rounds: number | null, round_days: number, repeats: boolean, pace: import("../../base/api.js").Pace, lead: boolean,
 *   entry: Entry | null, standings: Standing[], waiting: Person[], tie_breaks: string[], tables: Table[]}} Series
 * @typedef {{list: (games: Summary[], state: (game: Summary) => any) => import("../../base/dom.js").Child, seated: (game: Summary) => any}} DrawTables  How lists of tables are drawn.
 */

import { Asking, Problem } from "../../base/api.js";
import { showNothingHere } from "../../base/controls/nothing_here.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { problemText, showToast } from "../../base/controls/toasts.js";
import { h, update } from "../../base/dom.js";
import { Polling } from "../../base/polling.js";
import { SERIES, toSeriesOf } from "../../base/routes.js";
import { formatDuration } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { player } from "../sign_in/session.js";
import { drawEnd, drawEntry } from "./entry.js";
import { drawMyTables, drawRounds } from "./rounds.js";
import { seriesListPage, statusText } from "./series_list.js";
import { drawStandings, drawWaiting } from "./standings.js";

/** The pause between two looks, in seconds: a worker counts games once a minute. */
const PAUSE = 15;
/** The most tables of the user among which those of the series are looked for. */
const MOST_MINE = 50;
/** In seconds. */
const DAY = 86_400;

/** One file has all. @param {HTMLElement} main @param {string} id of a series; "": a list @param {string} circle whose series are listed; "" for all @param {DrawTables} drawTables */
export function seriesPage(main, id, circle, drawTables) {
  return id ? oneSeries(main, id, drawTables) : seriesListPage(main, circle);
}

/** Shows a series and what changes there. @param {HTMLElement} main @param {string} id @param {DrawTables} drawTables @returns {() => void} */
function oneSeries(main, id, drawTables) {
  const asking = new Asking();
  const polling = new Polling(async () => {
    const [series, mine] = await Promise.all([asking.get(`/api/series/${id}`), myGames(asking)]);
    if (main.isConnected) draw(main, series, mine, drawTables, polling.now);
    return series.status === "over" ? Infinity : PAUSE;
  }, error => {
    if (!(error instanceof Problem && error.status === 404)) return showToast(problemText(error));
    polling.stop();
    if (main.isConnected) showNothingHere(main);
  });
  return polling.stop;
}

/** The user's tables, which know whose turn it is. @param {Asking} asking @returns {Promise<Summary[]>} */
async function myGames(asking) {
  return player() ? (await asking.get(`/api/games?mine=true&limit=${MOST_MINE}`)).games : [];
}

/** @param {HTMLElement} main @param {Series} series @param {Summary[]} mine @param {DrawTables} drawTables @param {() => void} again loads it anew */
function draw(main, series, mine, drawTables, again) {
  const title = t("series.one", { name: series.name, season: series.season });
  setTitle(false, title);
  update(main,
    h("h1", {}, title),
    h("p", { key: "status" }, statusText(series)),
    series.system && h("p", { className: "soft", key: "system" }, t(`series.system.${series.system}`)),
    series.repeats && h("p", { className: "soft", key: "repeats" }, t("series.repeats")),
    drawMyTables(series, mine, drawTables),
    drawEntry(series, again),
    series.standings.length > 0 && drawStandings(series),
    (series.waiting.length > 0 || series.status === "open") && drawWaiting(series),
    drawRounds(series),
    drawTerms(series),
    h("section", { className: "prose", key: "tie-breaks" }, h("h2", {}, t("series.tie-breaks")), h("ol", {}, series.tie_breaks.map(each => h("li", {}, each)))),
    series.lead && series.status !== "over" && drawEnd(series, again),
    h("p", { className: "buttons", key: "ways" },
      h("a", { className: "button", href: series.circle ? toSeriesOf(series.circle) : SERIES }, t("series.title")),
      h("a", { className: "button", href: `/rules/${series.ruleset}` }, t("lobby.rules")),
      h("a", { className: "button", href: "/" }, t("to.lobby"))));
}

/** @param {Series} series */
function drawTerms({ game, people, seats, rounds, round_days, pace }) {
  const rows = [
    ["series.game", game],
    ["series.people", people],
    ["series.seats", seats],
    ["series.count", rounds ?? t("series.count.open")],
    ["series.length", formatDuration(round_days * DAY)],
    ["filter.pace", pace.preset ? pace.words : pace.detail],
  ];
  return h("section", { className: "prose", key: "terms" }, h("h2", {}, t("series.terms")),
    h("table", {}, h("caption", { className: "hidden" }, t("series.terms")),
      h("tbody", {}, rows.map(([key, value]) => h("tr", { key }, h("th", { scope: "row" }, t(String(key))), h("td", {}, value))))));
}
