// @ts-check
/**
 * What helps in somebody's first game of a ruleset: its aim, then each phase that is new, with the rules of it one touch
 * away. It stands where the latest lines would, is closed for good, and is remembered in this browser. Where it has to be cut
 * short, a touch shows it whole.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {{summary: string, panel: {open: (drawer: string) => void}, redraw: () => void, fit: {beginAnew: () => void}}} CoachedTable
 * @typedef {{game: string, met: string[], closed: boolean}} Lesson  The first game of a ruleset, and the phases in which the user has acted.
 */

import { load, save } from "../base/browser_storage.js";
import { h } from "../base/dom.js";
import { t } from "../base/words.js";

const STORAGE_KEY = "coach";

/** @param {CoachedTable} table @param {Game} game */
export function drawCoach(table, game) {
  if (game.seat === null || game.status !== "running" || !game.view || !table.summary) return null;
  const { phase, phase_words: words } = game.view;
  const lesson = lessonOf(game);
  if (lesson.closed || lesson.game !== game.id || lesson.met.includes(phase)) return null;
  const close = () => {
    keep(game, { ...lesson, closed: true });
    table.fit.beginAnew();
    table.redraw();
  };
  return h("section", { className: "coach", key: "coach", "aria-label": t("coach") },
    h("p", { tabindex: 0 }, lesson.met.length ? t("coach.phase", { phase: words }) : [h("strong", {}, t("coach.aim")), " ", table.summary]),
    h("button", { type: "button", className: "plain", "data-coach": "rules", onclick: () => table.panel.open("rules") }, t("coach.rules")),
    h("button", { type: "button", className: "plain close", "data-coach": "close", "aria-label": t("coach.close"), title: t("coach.close"), onclick: close }, "×"));
}

/** The user has acted: what was asked needs no more explaining. @param {CoachedTable} table @param {Game} game as it was then */
export function hasUnderstood(table, game) {
  if (game.lesson) return table.fit.beginAnew(); // what is said next may be shorter, and the first game is still to come
  const lesson = lessonOf(game);
  const phase = game.view?.phase ?? "";
  if (lesson.game !== game.id || lesson.met.includes(phase)) return;
  keep(game, { ...lesson, met: [...lesson.met, phase] });
  table.fit.beginAnew();
}

/** @returns {Record<string, Lesson>} by ruleset */
function lessons() {
  return JSON.parse(load(STORAGE_KEY) ?? "{}");
}

/** @param {Game} game @returns {Lesson} */
function lessonOf(game) {
  return lessons()[game.ruleset.slug] ?? keep(game, { game: game.id, met: [], closed: false });
}

/** @param {Game} game @param {Lesson} lesson */
function keep({ ruleset: { slug } }, lesson) {
  save(STORAGE_KEY, JSON.stringify({ ...lessons(), [slug]: lesson }));
  return lesson;
}
