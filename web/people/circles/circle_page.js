// @ts-check
/**
 * A circle: its tables, its talk, its members and its table of results; or, with its link, how to join.
 *
 * @typedef {import("../../base/api.js").Summary} Summary
 * @typedef {{id: string, name: string, you: boolean, host: boolean}} Member
 * @typedef {{id: string, name: string, about: string | null, host: boolean, member: string, link: {url: string, key: string},
 *   members: Member[], removed: Member[], weeklies: import("./weeklies.js").Weekly[], unread: number, poll_after: number}} Circle
 * @typedef {{id: string, name: string, you: boolean, games: number, won: number, left: number}} Result
 * @typedef {{id: string, circle: string | null, name: string, season: number, game: string}} Series
 * @typedef {{circle: Circle, tables: Summary[], series: Series[], over: Summary[], results: Result[], rulesets: import("../../base/api.js").RulesetSummary[]}} CircleOnScreen
 * @typedef {{list: (games: Summary[], state: (game: Summary) => any) => import("../../base/dom.js").Child, seated: (game: Summary) => any, ended: (game: Summary) => any}} DrawTables  How lists of tables are drawn.
 */

import { Asking, Problem, get } from "../../base/api.js";
import { showNothingHere } from "../../base/controls/nothing_here.js";
import { problemText, showToast } from "../../base/controls/toasts.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { h, update } from "../../base/dom.js";
import { Polling } from "../../base/polling.js";
import { PEOPLE, toNewTableIn, toSeries, toSeriesOf } from "../../base/routes.js";
import { t } from "../../base/words.js";
import { player } from "../sign_in/session.js";
import { drawMembers } from "./circle_members.js";
import { CircleTalk } from "./circle_talk.js";
import { showInvitationToCircle } from "./join_circle.js";
import { peoplePage } from "./people_page.js";
import { drawWeeklies } from "./weeklies.js";

/** The shortest pause between two looks, in seconds: nobody's turn depends on it. */
const PAUSE = 10;
/** How many finished games are listed. */
const MOST_OVER = 5;

/** One file has both. @param {HTMLElement} main @param {string} id of a circle; "": the user's people @param {DrawTables} drawTables */
export function peopleOrCirclePage(main, id, drawTables) {
  return id ? circlePage(main, id, drawTables) : peoplePage(main);
}

/** @param {HTMLElement} main @param {string} id @param {DrawTables} drawTables @returns {() => void} */
function circlePage(main, id, drawTables) {
  let stop = follow();
  return () => stop();

  /** Shows the circle and what changes there, until somebody is no member. */
  function follow() {
    const asking = new Asking();
    const path = `/api/circles/${id}`;
    /** @type {CircleOnScreen | null} */
    let shown = null;
    const redraw = () => shown && main.isConnected && draw(main, shown, talk, drawTables, polling.now);
    const talk = new CircleTalk(path, redraw);
    const polling = new Polling(async () => {
      if (!player()) throw new Problem(404, {});
      shown = await load(asking, path);
      await talk.load(shown.circle);
      redraw();
      return Math.max(PAUSE, shown.circle.poll_after);
    }, error => {
      if (!(error instanceof Problem && error.status === 404)) return showToast(problemText(error));
      polling.stop();
      if (main.isConnected) invite();
    });
    return polling.stop;
  }

  /** What is left to whoever is no member: to join, with its link. */
  function invite() {
    const joined = () => {
      stop = follow();
    };
    showInvitationToCircle(main, id, joined).catch(() => main.isConnected && showNothingHere(main));
  }
}

/** @param {Asking} asking @param {string} path @returns {Promise<CircleOnScreen>} */
async function load(asking, path) {
  const games = async (/** @type {string} */ query) => (await asking.get(`${path}/games?${query}`)).games;
  const [circle, open, running, over, { results }, { rulesets }, { series }] = await Promise.all([
    asking.get(path), games("status=open"), games("status=running"), games(`status=over&limit=${MOST_OVER}`), asking.get(`${path}/results`), asking.get("/api/rulesets"), asking.get("/api/series"),
  ]);
  return { circle, tables: [...open, ...running], series: series.filter((/** @type {Series} */ each) => each.circle === circle.id), over, results, rulesets };
}

/** @param {HTMLElement} main @param {CircleOnScreen} shown @param {CircleTalk} talk @param {DrawTables} drawTables @param {() => void} again */
function draw(main, { circle, tables, series, over, results, rulesets }, talk, drawTables, again) {
  setTitle(false, circle.name);
  update(main,
    h("h1", {}, circle.name),
    circle.about && h("p", { key: "about", className: "text" }, circle.about),
    h("section", { key: "tables" },
      h("h2", {}, t("circle.tables")),
      tables.length ? drawTables.list(tables, drawTables.seated) : h("p", { className: "soft" }, t("circle.tables.none")),
      circle.weeklies.length > 0 && drawWeeklies(`/api/circles/${circle.id}`, circle.weeklies, circle.host, again),
      h("details", { className: "more", key: "new" },
        h("summary", {}, t("circle.open")),
        h("ul", { className: "item-list" }, rulesets.map(({ slug, name }) => h("li", { key: slug }, h("a", { href: toNewTableIn(slug, circle.id) }, name)))))),
    drawSeries(circle, series),
    over.length > 0 && h("section", { key: "over" }, h("h2", {}, t("circle.over")), drawTables.list(over, drawTables.ended)),
    results.length > 0 && drawResults(results),
    talk.draw(),
    drawMembers(circle, again),
    h("p", { className: "buttons", key: "ways" }, h("a", { className: "button", href: PEOPLE }, t("people.title")), h("a", { className: "button", href: "/" }, t("to.lobby"))));
}

/** @param {Circle} circle @param {Series[]} series */
function drawSeries({ id: circle }, series) {
  return h("section", { key: "series" },
    h("h2", {}, t("series.title")),
    series.length === 0 && h("p", { className: "soft", key: "none" }, t("series.none")),
    h("ul", { className: "item-list", key: "list" }, series.map(({ id, name, season, game }) => h("li", { key: id }, h("span", {}, h("a", { href: toSeries(id) }, t("series.one", { name, season })), h("small", { className: "soft" }, game))))),
    h("p", { key: "all" }, h("a", { href: toSeriesOf(circle) }, t("series.all"))));
}

/** @param {Result[]} results */
function drawResults(results) {
  const heads = ["name", "games", "won", "left"].map(each => h("th", { scope: "col" }, t(`circle.results.${each}`)));
  return h("section", { key: "results" }, h("h2", {}, t("circle.results")),
    h("div", { className: "prose" }, h("table", {},
      h("caption", { className: "hidden" }, t("circle.results")),
      h("thead", {}, h("tr", {}, heads)),
      h("tbody", {}, results.map(({ id, name, you, games, won, left }) => h("tr", { key: id },
        h("th", { scope: "row" }, name, you && h("span", { className: "tag" }, t("seat.you"))), h("td", {}, games), h("td", {}, won), h("td", {}, left)))))));
}
