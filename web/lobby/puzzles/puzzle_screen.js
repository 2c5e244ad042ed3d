// @ts-check
/**
 * One position, as its seat sees it: the user says what they would do, and is told what it is worth.
 *
 * @typedef {import("../../base/api.js").Legal} Legal
 * @typedef {{id: string | null, game: string | null, number: number | null, ruleset: import("../../base/api.js").RulesetOfGame, names: string[], seat: number,
 *   layout: import("../../base/api.js").Area[], view: import("../../base/api.js").View, legal: Legal[], difficulty: string | null, state: string}} Puzzle
 * @typedef {{action: import("../../base/api.js").Action, words: string, cost: number}} Choice
 * @typedef {{right: boolean | null, cost: number | null, state: string, played: Legal | null, solution: {choices: Choice[], reasons: string[]} | null}} Verdict
 */

import { get, post } from "../../base/api.js";
import { loadOrShowNothing } from "../../base/controls/nothing_here.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { attempt } from "../../base/controls/toasts.js";
import { h, update } from "../../base/dom.js";
import { toPosition, toPuzzle, toPuzzles } from "../../base/routes.js";
import { colourCards, t } from "../../base/words.js";
import { rememberHere } from "./solved_here.js";

/** @param {HTMLElement} main @param {string} path of the puzzle in the API @param {string[]} others  the ids of the collection, in order @param {(table: any) => HTMLElement} drawTable */
export async function puzzleScreen(main, path, others, drawTable) {
  /** @type {Puzzle | undefined} */
  const puzzle = await loadOrShowNothing(main, () => get(path));
  if (!puzzle || !main.isConnected) return;
  setTitle(false, t("puzzle.ask"));
  const table = drawTable(puzzle);
  /** @type {{legal: Legal | null, verdict: Verdict} | null} */
  let answer = null;
  draw();

  /** @param {Legal | null} legal null to have the solution shown */
  async function say(legal) {
    const verdict = await attempt(() => post(`${path}/answers`, { action: legal?.action ?? null }));
    if (!verdict) return;
    answer = { legal, verdict };
    const { id } = /** @type {Puzzle} */ (puzzle);
    if (id && verdict.state === "new" && verdict.solution) rememberHere(id, legal ? "solved" : "shown");
    draw();
    main.querySelector("#verdict")?.scrollIntoView({ block: "nearest" });
  }

  function draw() {
    if (!puzzle) return;
    update(main,
      h("h1", {}, t("puzzle.ask")),
      h("p", {}, h("strong", {}, puzzle.ruleset.name), puzzle.difficulty && [t("comma"), t(`puzzles.${puzzle.difficulty}`)]),
      h("div", { className: "worked", key: "table" }, h("p", { className: "sentence" }, colourCards(puzzle.view.prompt_words)), h("div", { className: "worked-table", tabindex: 0, role: "group", "aria-label": puzzle.ruleset.name }, table)),
      h("div", { id: "verdict", key: "verdict", "aria-live": "polite" }, answer && drawVerdict(puzzle, answer.legal, answer.verdict)),
      h("div", { className: "puzzle-choices", role: "group", key: "choices", "aria-label": t("puzzle.ask") },
        puzzle.legal.map((each, n) => h("button", { type: "button", key: String(n), "aria-pressed": answer?.legal === each, onclick: () => say(each) }, h("span", {}, colourCards(each.words))))),
      h("div", { className: "buttons", key: "ways" }, drawWays(puzzle)));
  }

  /** @param {Puzzle} shown */
  function drawWays({ id, game, number, ruleset: { slug } }) {
    if (game && number) return h("a", { className: "button", href: toPosition(game, number - 1) }, t("puzzle.game"));
    const following = others[others.indexOf(id ?? "") + 1];
    return [
      !answer?.verdict.solution && h("button", { type: "button", id: "show-solution", key: "show", onclick: () => say(null) }, t("puzzle.show")),
      following && h("a", { className: answer?.verdict.solution ? "button main" : "button", key: "next", href: toPuzzle(slug, following) }, t("puzzle.next")),
      h("a", { className: "button", key: "all", href: toPuzzles(slug) }, t("puzzle.all"))];
  }
}

/** @param {Puzzle} puzzle @param {Legal | null} legal @param {Verdict} verdict */
function drawVerdict(puzzle, legal, { right, cost, played, solution }) {
  return [
    right !== null && h("p", { className: "sentence", key: "right" }, right ? t("puzzle.right") : t("puzzle.wrong", { cost: percent(cost) })),
    played && h("p", { key: "played" }, isSame(played, legal) ? t("puzzle.same") : colourCards(t("puzzle.other", { action: played.words }))),
    puzzle.game && !solution && h("p", { className: "soft", key: "unknown" }, t("puzzle.unknown")),
    solution && h("section", { key: "solution", "aria-labelledby": "solution" },
      h("h2", { id: "solution" }, t("puzzle.solution")),
      h("ol", {}, solution.choices.map((each, n) => h("li", { key: String(n) }, n ? colourCards(each.words) : h("strong", {}, colourCards(each.words)), " ",
        h("span", { className: "soft" }, n ? t("puzzle.cost", { cost: percent(each.cost) }) : t("puzzle.best"))))),
      solution.reasons.map((each, n) => h("p", { key: `why ${n}` }, colourCards(each))))];
}

/** @param {Legal} one @param {Legal | null} other */
function isSame(one, other) {
  return one.words === other?.words;
}

/** @param {number | null} part from 0 to 1 */
function percent(part) {
  return Math.round(100 * (part ?? 0));
}
