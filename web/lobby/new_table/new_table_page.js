// @ts-check
/**
 * The form that opens a table: number of players, length of the game, who may join; folded away its options, pace, house players.
 * The same form sets up a series of such tables, whose people and seats it does not ask for.
 *
 * @typedef {import("../../base/api.js").Ruleset} Ruleset
 * @typedef {{ruleset: Ruleset, circle: string, series: boolean, showLiveWish: import("./live.js").ShowLiveWish, main: HTMLElement, players: number, pace: string, paces: import("../../base/api.js").Pace[], own: import("./own_pace.js").OwnPace,
 *   isPrivate: boolean, isRated: boolean | null, checked: boolean, values: import("./lengths.js").Values}} Form  `own`: the pace that the host defines; `checked`: whether its errors are shown;
 *   `isRated`: what the host has chosen, null as long as that follows from `isPrivate`.
 */

import { get } from "../../base/api.js";
import { USUAL_LEVEL, chosenLevel, levelChoice } from "../../base/controls/level_choice.js";
import { loadOrShowNothing } from "../../base/controls/nothing_here.js";
import { singleChoice } from "../../base/controls/single_choice.js";
import { attempt } from "../../base/controls/toasts.js";
import { h, update } from "../../base/dom.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { RATINGS } from "../../base/routes.js";
import { t } from "../../base/words.js";
import { drawStamp } from "../../cards/stamp.js";
import { player } from "../../people/sign_in/session.js";
import { drawLessonButton } from "../../rules_page/lesson.js";
import { drawLive } from "./live.js";
import { lengthText, lengthValues, matchingLength, relevantOptions } from "./lengths.js";
import { openTable, playNow } from "./open_table.js";
import { DEFAULT_PACE, OWN_PACE, drawOwnPace, firstWrongPart, paceBody } from "./own_pace.js";
import { drawRest, restBody } from "./rest.js";
import { drawSeriesTerms, firstWrongTerm, openSeries, seriesBody } from "./series_terms.js";
import { drawWeekly, openWeekly, weeklyBody } from "./weekly.js";

/** The preset without a clock. */
const NO_CLOCK = "none";
/** The usual one for a series, which needs a clock. */
const CLOCK_OF_SERIES = "daily";
/** Time-outs in a row after which a house player may take over; 0: never. */
const TAKEOVERS = [1, 3, 5, 0];
const TAKEOVER = 3;

/**
 * @param {HTMLElement} main @param {string} slug @param {string} circle the id of the circle whose members alone may sit down, or ""
 * @param {boolean} series whether a series is set up in the circle @param {import("./live.js").ShowLiveWish} showLiveWish
 */
export async function newTablePage(main, slug, circle, series, showLiveWish) {
  /** @type {Ruleset | undefined} */
  const ruleset = await loadOrShowNothing(main, () => get(`/api/rulesets/${slug}`));
  /** @type {{paces: import("../../base/api.js").Pace[]} | undefined} */
  const known = ruleset && (await attempt(() => get("/api/paces")));
  if (!ruleset || !known || !main.isConnected) return;
  const [pace, paces] = series ? [CLOCK_OF_SERIES, known.paces.filter(({ preset }) => preset !== NO_CLOCK)] : [NO_CLOCK, known.paces];
  setTitle(false, titleOf({ series, ruleset }));
  show(withShortestLength({ main, ruleset, circle, series, showLiveWish, players: ruleset.players[0], pace, paces, own: DEFAULT_PACE, isPrivate: circle !== "", isRated: null, checked: false, values: {} }));
}

/** @param {Pick<Form, "series" | "ruleset">} form */
function titleOf({ series, ruleset: { name } }) {
  return t(series ? "series.new.title" : "new-table.title", { name });
}

/** The form with the shortest length for its number of players. @param {Form} form @returns {Form} */
function withShortestLength(form) {
  return { ...form, values: lengthValues(optionsOf(form), lengthsOf(form)[0]) };
}

/** @param {Form} form */
function optionsOf({ ruleset, players }) {
  return ruleset.options[players]?.properties ?? {};
}

/** @param {Form} form */
function lengthsOf({ ruleset, players }) {
  return ruleset.lengths[players] ?? [];
}

/** @param {Form} form */
function show(form) {
  const { main, ruleset, players, series } = form;
  update(main,
    h("div", { className: "room-head" }, drawStamp(ruleset.slug), h("div", {},
      h("h1", {}, titleOf(form)),
      h("p", { className: "small" }, ruleset.summary),
      h("p", { className: "buttons" }, drawLessonButton(ruleset.slug), h("a", { className: "button", href: `/rules/${ruleset.slug}` }, t("lobby.rules"))))),
    h("form", { className: "sheet", novalidate: true, onsubmit: (/** @type {SubmitEvent} */ event) => submit(event, form) },
      series && drawSeriesTerms(),
      ruleset.players.length > 1 && singleChoice("players", t("new-table.players"), ruleset.players.map(count => ({ value: count, title: String(count) })),
        players, value => show(withShortestLength({ ...form, players: value }))),
      drawLengths(form),
      !form.circle && singleChoice("private", t("new-table.who"), [{ value: false, title: t("new-table.public") }, { value: true, title: t("new-table.private") }], form.isPrivate, value => show({ ...form, isPrivate: value })),
      form.circle && !series && !isLive(form) && drawWeekly(),
      !series && drawButtons(form),
      h("details", { className: "more", key: "more" }, h("summary", {}, t("new-table.options")),
        drawOptions(form),
        canBeRated() && drawRated(form),
        isLive(form) && !series ? drawLive(ruleset.slug, form.showLiveWish) : drawPaces(form),
        !isLive(form) && !series && drawStart(players)),
      series && h("div", { className: "buttons", key: "set-up" }, h("button", { className: "main" }, t("series.new")))),
    h("p", { className: "soft small" }, t("lobby.by", { author: ruleset.author })));
}

/** @param {Form} form */
function drawButtons({ ruleset: { slug }, players }) {
  return h("div", { className: "buttons" },
    h("button", { className: "main" }, t("new-table.do")),
    h("button", { type: "button", "data-play": slug, title: t("lobby.play"), onclick: () => playNow(slug, players) }, t("new-table.alone")));
}

/** House players, and who says when it starts. @param {number} players */
function drawStart(players) {
  return [
    singleChoice("house", t("new-table.house"), [...Array(players).keys()].map(count => ({ value: count, title: String(count) })), 0),
    levelChoice(USUAL_LEVEL),
    singleChoice("start", t("new-table.start"), [{ value: "full", title: t("new-table.start.full") }, { value: "host", title: t("new-table.start.host") }], "full")];
}

/** Whether all have to be there at the same time, as the service says of a value that is chosen. @param {Form} form */
function isLive(form) {
  const options = optionsOf(form);
  return Object.keys(options).some(name => options[name].oneOf.some(({ const: value, live }) => live && value === form.values[name]));
}

/** A choice of lengths, or the only one as a sentence. @param {Form} form */
function drawLengths(form) {
  const lengths = lengthsOf(form);
  if (lengths.length < 2) return lengths.map(length => h("p", { className: "soft length", key: "length" }, lengthText(length)));
  const options = optionsOf(form);
  return singleChoice("length", t("new-table.length"), lengths.map((length, n) => ({ value: n, title: lengthText(length) })), matchingLength(options, lengths, form.values),
    n => show({ ...form, values: lengthValues(options, lengths[n]) }));
}

/** The pace; with a clock, also when a house player takes over. @param {Form} form */
function drawPaces(form) {
  const { paces, pace, own, checked } = form;
  const presets = paces.map(({ preset, words, detail }) => ({ value: preset, title: words, detail }));
  return [
    singleChoice("pace", t("new-table.pace"), [...presets, { value: OWN_PACE, title: t("pace.own"), detail: t("pace.own.what") }], pace, value => show({ ...form, pace: value })),
    pace === OWN_PACE && drawOwnPace(own, checked, wish => show({ ...form, own: wish })),
    pace !== NO_CLOCK && drawRest(),
    pace !== NO_CLOCK && singleChoice("takeover", t("new-table.takeover"), TAKEOVERS.map(n => ({ value: n, title: takeoverText(n) })), TAKEOVER)];
}

/** @param {number} n */
function takeoverText(n) {
  if (n === 1) return t("new-table.takeover.once");
  return n ? t("new-table.takeover.after", { n }) : t("new-table.takeover.never");
}

/** Guests have no ratings, and their tables are not rated. */
function canBeRated() {
  return player() !== null && !player()?.guest;
}

/** Whether the table is rated: usually if anybody can sit down. @param {Form} form */
function isRated({ isPrivate, isRated: chosen }) {
  return chosen ?? !isPrivate;
}

/** The explanation opens beside the form. @param {Form} form */
function drawRated(form) {
  return [
    singleChoice("rated", t("new-table.rated"), [{ value: true, title: t("rated") }, { value: false, title: t("new-table.unrated") }], isRated(form), value => show({ ...form, isRated: value })),
    h("p", { className: "small", key: "rated-more" }, h("a", { href: RATINGS, target: "_blank" }, t("rated.more")))];
}

/** The options one by one. @param {Form} form */
function drawOptions(form) {
  const { values } = form;
  const options = optionsOf(form);
  return relevantOptions(options, values).map(name => {
    const { title, description, oneOf } = options[name];
    return singleChoice(`option.${name}`, title, oneOf.map(each => ({ value: each.const, title: each.title })), values[name],
      value => show({ ...form, values: { ...values, [name]: value } }), description);
  });
}

/** How fast it is. @param {Form} form @param {FormData} answers */
function timeBody({ pace, own }, answers) {
  return {
    pace: pace === OWN_PACE ? paceBody(own) : pace,
    rest: pace === NO_CLOCK ? null : restBody(answers),
    takeover: TAKEOVERS[Number(answers.get("takeover"))],
  };
}

/** What everybody finds at each table of a series. @param {Form} form @param {FormData} answers */
function tableBody(form, answers) {
  const { ruleset, players, values } = form;
  const names = relevantOptions(optionsOf(form), values);
  return {
    ruleset: ruleset.slug,
    players,
    options: Object.fromEntries(names.map(name => [name, values[name]])),
    ...(isLive(form) ? {} : timeBody(form, answers)),
    ...(canBeRated() ? { rated: isRated(form) } : {}),
  };
}

/** Who plays at a table, and when it starts. @param {Form} form @param {FormData} answers */
function peopleBody(form, answers) {
  const answer = (/** @type {string} */ name) => Number(answers.get(name));
  const more = { house: answer("house"), level: chosenLevel(form.main), start: ["full", "host"][answer("start")] };
  return { ...(isLive(form) ? {} : more), private: form.isPrivate };
}

/** @param {SubmitEvent} event @param {Form} form */
async function submit(event, form) {
  event.preventDefault();
  const { main, pace, own, circle, series } = form;
  const wrongTerm = series && firstWrongTerm();
  if (wrongTerm) return wrongTerm.focus();
  const wrong = pace === OWN_PACE && firstWrongPart(own);
  if (wrong) {
    show({ ...form, checked: true });
    /** @type {HTMLDetailsElement} */ (main.querySelector("details.more")).open = true;
    return document.getElementById(`own-${wrong}`)?.focus();
  }
  const answers = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const table = tableBody(form, answers);
  if (series) return openSeries(circle, seriesBody(answers), table);
  const wish = { ...table, ...peopleBody(form, answers) };
  const weekly = circle ? weeklyBody(answers) : null;
  await (weekly ? openWeekly(circle, weekly, wish) : openTable(wish, circle));
}
