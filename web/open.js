// @ts-check
/**
 * A new table: how long the game is, options as the ruleset declares them, how many play, who may come.
 *
 * @typedef {import("./api.js").Ruleset} Ruleset
 * @typedef {{ruleset: Ruleset, main: HTMLElement, players: number, pace: string, paces: import("./api.js").Pace[], own: import("./pace.js").Own,
 *   checked: boolean, values: import("./lengths.js").Values}} Form  `own`: a pace made up; `checked`: what is wrong with it is told.
 */

import { get } from "./api.js";
import { signal } from "./attention.js";
import { h, update } from "./dom.js";
import { question } from "./form.js";
import { lengthOf, lengthText, relevant, valuesOf } from "./lengths.js";
import { attempt } from "./notice.js";
import { openTable } from "./opening.js";
import { OWN, USUAL, drawOwn, firstWrong, paceOf } from "./pace.js";
import { t } from "./words.js";

/** The pace of a table without a clock. */
const NO_CLOCK = "none";
/** After how many time-outs in a row a house player may take over; 0: never. */
const TAKEOVERS = [1, 3, 5, 0];
const TAKEOVER = 3;

/** @param {HTMLElement} main @param {string} slug */
export async function open(main, slug) {
  /** @type {Ruleset | undefined} */
  const ruleset = await attempt(() => get(`/api/rulesets/${slug}`));
  /** @type {{paces: import("./api.js").Pace[]} | undefined} */
  const known = ruleset && (await attempt(() => get("/api/paces")));
  if (!ruleset || !known) return;
  signal(false, t("open.title", { name: ruleset.name }));
  show(anew({ main, ruleset, players: ruleset.players[0], pace: NO_CLOCK, paces: known.paces, own: USUAL, checked: false, values: {} }));
}

/** The form with the shortest length for so many players. @param {Form} form @returns {Form} */
function anew(form) {
  return { ...form, values: valuesOf(optionsOf(form), lengthsOf(form)[0]) };
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
  const { main, ruleset, players } = form;
  update(main,
    h("h1", {}, t("open.title", { name: ruleset.name })),
    h("p", {}, ruleset.summary, " ", h("a", { href: `#/rules/${ruleset.slug}` }, t("lobby.rules"))),
    h("form", { className: "sheet", novalidate: true, onsubmit: (/** @type {SubmitEvent} */ event) => submit(event, form) },
      ruleset.players.length > 1 && question("players", t("open.players"), ruleset.players.map(count => ({ value: count, title: String(count) })),
        players, value => show(anew({ ...form, players: value }))),
      howLong(form),
      single(form),
      howFast(form),
      question("house", t("open.house"), [...Array(players).keys()].map(count => ({ value: count, title: String(count) })), 0),
      question("private", t("open.who"), [{ value: false, title: t("open.public") }, { value: true, title: t("open.private") }], false),
      question("start", t("open.start"), [{ value: "full", title: t("open.start.full") }, { value: "host", title: t("open.start.host") }], "full"),
      h("div", { className: "buttons" }, h("button", { className: "main" }, t("open.do")))));
}

/** The usual lengths; where there is but one, what it is. @param {Form} form */
function howLong(form) {
  const lengths = lengthsOf(form);
  if (lengths.length < 2) return lengths.map(length => h("p", { className: "soft length", key: "length" }, lengthText(length)));
  const options = optionsOf(form);
  return question("length", t("open.length"), lengths.map((length, n) => ({ value: n, title: lengthText(length) })), lengthOf(options, lengths, form.values),
    n => show({ ...form, values: valuesOf(options, lengths[n]) }));
}

/** The pace; with a clock, also what comes of letting it run out. @param {Form} form */
function howFast(form) {
  const { paces, pace, own, checked } = form;
  const presets = paces.map(({ preset, words, detail }) => ({ value: preset, title: words, detail }));
  return [
    question("pace", t("open.pace"), [...presets, { value: OWN, title: t("pace.own"), detail: t("pace.own.what") }], pace, value => show({ ...form, pace: value })),
    pace === OWN && drawOwn(own, checked, wish => show({ ...form, own: wish })),
    pace !== NO_CLOCK && question("takeover", t("open.takeover"), TAKEOVERS.map(n => ({ value: n, title: takeoverText(n) })), TAKEOVER)];
}

/** @param {number} n */
function takeoverText(n) {
  if (n === 1) return t("open.takeover.once");
  return n ? t("open.takeover.after", { n }) : t("open.takeover.never");
}

/** Every option by itself; folded where a length sets them. @param {Form} form */
function single(form) {
  const { values } = form;
  const options = optionsOf(form);
  const questions = relevant(options, values).map(name => {
    const { title, description, oneOf } = options[name];
    return question(`option.${name}`, title, oneOf.map(each => ({ value: each.const, title: each.title })), values[name],
      value => show({ ...form, values: { ...values, [name]: value } }), description);
  });
  const folded = questions.length > 0 && lengthsOf(form).length > 1;
  return folded ? h("details", { className: "more", key: "more" }, h("summary", {}, t("open.options")), questions) : questions;
}

/** @param {SubmitEvent} event @param {Form} form */
async function submit(event, form) {
  event.preventDefault();
  const { ruleset, players, pace, own, values } = form;
  const wrong = pace === OWN && firstWrong(own);
  if (wrong) {
    show({ ...form, checked: true });
    return document.getElementById(`own-${wrong}`)?.focus();
  }
  const answers = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const answer = (/** @type {string} */ name) => Number(answers.get(name));
  const options = ruleset.options[players]?.properties ?? {};
  await openTable({
    ruleset: ruleset.slug,
    players,
    options: Object.fromEntries(relevant(options, values).map(name => [name, values[name]])),
    house: answer("house"),
    private: answer("private") === 1,
    pace: pace === OWN ? paceOf(own) : pace,
    takeover: TAKEOVERS[answer("takeover")],
    start: ["full", "host"][answer("start")],
  });
}
