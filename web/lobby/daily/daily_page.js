// @ts-check
/**
 * A day's deal: the user's only try at it, and afterwards how everybody did. Times are told in the user's zone, the day is that of UTC.
 *
 * @typedef {{game: string | null, begun_at: string, ended_at: string | null, score: number | null, won: boolean | null, counts: boolean}} Try
 * @typedef {{day: string, begins_at: string, ends_at: string, ruleset: string, name: string, players: number, open: boolean, try: Try | null}} Entry
 * @typedef {{score: number | null, won: boolean}} LineResult
 * @typedef {{score: number | null, won: boolean, people: number, yours: boolean}} Outcome
 * @typedef {{begun: number, finished: number, outcomes: Outcome[], best: LineResult | null}} Results
 * @typedef {Entry & {commitment: string, committed_at: string, seed: string | null, next: {name: string, commitment: string, committed_at: string} | null,
 *   results: Results | null, played: number, in_a_row: number}} Deal
 * @typedef {(slug: string) => import("../../base/dom.js").Child} DrawStamp
 */

import { get, post } from "../../base/api.js";
import { copyField } from "../../base/controls/copy_field.js";
import { loadOrShowNothing } from "../../base/controls/nothing_here.js";
import { attempt } from "../../base/controls/toasts.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { h, update } from "../../base/dom.js";
import { DAILY, goTo, toTable } from "../../base/routes.js";
import { formatDays, formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { ensurePlayer } from "../../people/sign_in/name_dialog.js";
import { drawCalendar } from "./calendar.js";
import { drawResults, reached } from "./daily_results.js";
import { drawLines } from "./lines.js";

/** @param {HTMLElement} main @param {string} day as 2026-11-29; "" for today @param {string} friend  what a friend has reached, as in the link that they sent @param {DrawStamp} drawStamp */
export async function dailyPage(main, day, friend, drawStamp) {
  setTitle(false, t("daily.title"));
  const path = `/api/daily-deals/${day || "today"}`;
  /** @type {Deal | undefined} */
  const deal = await loadOrShowNothing(main, () => get(path));
  if (!deal || !main.isConnected) return;
  const isToday = deal.seed === null;
  update(main,
    h("div", { className: "room-head" }, drawStamp(deal.ruleset),
      h("div", {}, h("h1", {}, t("daily.title")), h("p", {}, h("strong", {}, formatDays(deal.day, deal.day)), t("comma"), deal.name))),
    h("p", {}, t("daily.what")),
    drawFriend(friend),
    h("section", { id: "own-try", key: "own" }, drawOwn(deal, isToday)),
    deal.results && drawResults(deal.results),
    deal.results?.best && drawLines(path),
    drawCalendar(deal.day),
    drawProof(deal),
    h("p", { className: "soft small" }, t("daily.honest")),
    h("div", { className: "buttons" }, h("a", { className: "button", href: "/" }, t("to.lobby"))));
}

/** @param {Deal} deal @param {boolean} isToday */
function drawOwn(deal, isToday) {
  const own = deal.try;
  const until = isToday ? t("daily.until", { at: formatTime(deal.ends_at) }) : t("daily.past");
  if (!own) return [h("p", {}, until), deal.open && h("div", { className: "buttons" }, h("button", { type: "button", className: "main", "data-play": deal.ruleset, onclick: () => begin(deal.day) }, t("daily.begin")))];
  const toGame = (/** @type {string} */ words, main = "") => own.game && h("div", { className: "buttons" }, h("a", { className: `button ${main}`, href: toTable(own.game) }, words));
  if (!own.ended_at) return [h("p", {}, until), toGame(t("daily.continue"), "main")];
  return [
    h("p", { className: "sentence" }, reached("own", { score: own.score, won: own.won === true }), " ", !own.counts && t("daily.late")),
    deal.played > 1 && h("p", { className: "soft" }, t("daily.played", { days: deal.played, row: deal.in_a_row })),
    toGame(t("daily.look")),
    !isToday && own.game && h("p", {}, h("a", { href: `/api/games/${own.game}/record`, download: `${own.game}.json` }, t("result.record"))),
    own.counts && h("p", { className: "small", key: "share" }, t("daily.share")),
    own.counts && copyField("share", t("daily.share"), linkFor(deal.day, own)),
  ];
}

/** The link tells friends how the user did, and nothing of the cards. @param {string} day @param {Try} own */
function linkFor(day, { score, won }) {
  return `${location.origin}${DAILY}/${day}?friend=${score ?? 0}${won ? "w" : ""}`;
}

/** @param {string} friend */
function drawFriend(friend) {
  const told = /^(-?[0-9]{1,6})(w?)$/.exec(friend);
  return told && h("p", { className: "sentence", key: "friend" }, reached("friend", { score: Number(told[1]), won: told[2] === "w" }));
}

/** @param {string} day */
async function begin(day) {
  if (!(await ensurePlayer())) return;
  await attempt(async () => goTo(toTable((await post(`/api/daily-deals/${day}/tries`, {})).id)));
}

/** What was promised before, and can be checked afterwards. @param {Deal} deal */
function drawProof({ commitment, committed_at, seed, next }) {
  const line = (/** @type {string} */ key, /** @type {string} */ value) => [h("dt", {}, t(key)), h("dd", {}, h("code", {}, value))];
  return h("details", { key: "proof" }, h("summary", {}, t("daily.proof")),
    h("p", { className: "small" }, t("daily.proof.what"), " ", h("a", { href: "/docs/record" }, t("daily.proof.how"))),
    h("dl", {},
      line("daily.commitment", commitment),
      line("daily.committed", formatTime(committed_at)),
      seed && line("daily.seed", seed),
      next && [line("daily.next", next.name), line("daily.next.commitment", next.commitment)]));
}
