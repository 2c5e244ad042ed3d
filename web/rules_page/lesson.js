// @ts-check
/**
 * A lesson: begun beside the rules; at the table, what the learner may try, which can be left at any time.
 *
 * @typedef {import("../base/api.js").Game} Game
 */

import { Problem, get, post, request } from "../base/api.js";
import { load, save } from "../base/browser_storage.js";
import { attempt } from "../base/controls/toasts.js";
import { h } from "../base/dom.js";
import { goTo, toTable } from "../base/routes.js";
import { colourCards, t } from "../base/words.js";
import { ensurePlayer } from "../people/sign_in/name_dialog.js";

/** The last lesson that was shown here, to go on with: no list of games has it. */
const SHOWN = "lesson";

/** The button that begins the lesson of a game. @param {string} slug */
export function drawLessonButton(slug) {
  return h("button", { type: "button", "data-lesson": slug, key: "lesson", onclick: () => beginLesson(slug) }, t("lesson.begin"));
}

/** Begins a lesson, the last one of the same game ends. @param {string} slug @param {number} [step] */
async function beginLesson(slug, step = 1) {
  if (!(await ensurePlayer())) return;
  await attempt(async () => goTo(toTable((await post(`/api/rulesets/${slug}/lessons`, { step })).id)));
}

/** Leaves a lesson, which ends it, for the rules of its game. @param {Game} game */
export async function leaveLesson({ id, ruleset: { slug } }) {
  await attempt(async () => {
    await request("DELETE", `/api/games/${id}/lesson`);
    save(SHOWN, null);
    goTo(`/rules/${slug}`);
  });
}

/** The lesson that the user has begun here and neither finished nor left. @returns {Promise<Game | null>} */
export async function lessonUnderWay() {
  const id = load(SHOWN);
  if (id === null) return null;
  try {
    const game = await get(`/api/games/${id}`);
    if (game.lesson && game.status === "running") return game;
  } catch (problem) {
    if (!(problem instanceof Problem && problem.status === 404)) throw problem;
  }
  save(SHOWN, null);
  return null;
}

/** What is read of a lesson to those who do not see it. @param {Game} game */
export function readLesson({ lesson }) {
  return lesson ? [lesson.said, lesson.words].filter(Boolean).join(" ") : "";
}

/** What the learner is told, above the table. @param {Game} game */
export function drawLesson(game) {
  const { lesson, ruleset: { slug } } = game;
  if (!lesson) return null;
  if (load(SHOWN) !== game.id) save(SHOWN, game.id);
  const button = (/** @type {string} */ name, /** @type {() => void} */ act) => h("button", { type: "button", className: "plain", "data-lesson": name, key: name, onclick: act }, t(`lesson.${name}`));
  return h("section", { className: "coach lesson", key: "lesson", "aria-label": t("lesson") },
    h("div", { className: "told", tabindex: 0 },
      lesson.said && h("p", { className: "about", key: "about" }, colourCards(lesson.said)),
      h("p", { key: "words" }, h("span", { className: "steps", "aria-label": t("lesson.step", { step: lesson.step, steps: lesson.steps }) }, `${lesson.step}/${lesson.steps}`), " ", colourCards(lesson.words))),
    h("div", { className: "ways" },
      lesson.stage === "left" && button("again", () => beginLesson(slug, lesson.step)),
      lesson.stage === "finished" && h("a", { className: "plain", href: `/new/${slug}`, key: "table" }, t("lobby.new")),
      button("leave", () => leaveLesson(game))));
}
