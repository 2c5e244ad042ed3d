// @ts-check
/**
 * The puzzles of a game, by difficulty; and one of them, or a decision of somebody's game, that asks what the user would do.
 *
 * @typedef {{id: string, difficulty: string, players: number, state: string}} Entry
 * @typedef {{slug: string, puzzle: string, game: string, at: string}} Asked  what the address names: a puzzle, or a decision of a game
 */

import { get } from "../../base/api.js";
import { loadOrShowNothing } from "../../base/controls/nothing_here.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { h, update } from "../../base/dom.js";
import { toPuzzle } from "../../base/routes.js";
import { t } from "../../base/words.js";
import { puzzleScreen } from "./puzzle_screen.js";
import { stateOf } from "./solved_here.js";

const DIFFICULTIES = ["easy", "medium", "hard"];

/** @param {HTMLElement} main @param {Asked} asked @param {{drawTable: (table: any) => HTMLElement, drawStamp: (slug: string) => import("../../base/dom.js").Child}} above  how tables and games are drawn */
export async function puzzlesPage(main, { slug, puzzle, game, at }, { drawTable, drawStamp }) {
  setTitle(false, t("puzzles"));
  if (game) return puzzleScreen(main, `/api/games/${game}/puzzles/${at}`, [], drawTable);
  /** @type {{ruleset: import("../../base/api.js").RulesetOfGame, puzzles: Entry[]} | undefined} */
  const found = await loadOrShowNothing(main, () => get(`/api/rulesets/${slug}/puzzles`));
  if (!found || !main.isConnected) return undefined;
  if (puzzle) return puzzleScreen(main, `/api/puzzles/${puzzle}`, found.puzzles.map(({ id }) => id), drawTable);
  return update(main,
    h("div", { className: "room-head" }, drawStamp(slug), h("div", {}, h("h1", {}, t("puzzles")), h("p", {}, h("strong", {}, found.ruleset.name)))),
    h("p", {}, t("puzzles.what")),
    drawList(slug, found.puzzles),
    h("div", { className: "buttons" }, h("a", { className: "button", href: `/rules/${slug}` }, t("rules")), h("a", { className: "button", href: "/" }, t("to.lobby"))));
}

/** @param {string} slug @param {Entry[]} puzzles */
function drawList(slug, puzzles) {
  if (!puzzles.length) return h("p", {}, t("puzzles.none"));
  const states = puzzles.map(({ id, state }) => stateOf(id, state));
  const solved = states.filter(each => each === "solved").length;
  return [
    h("p", { className: "sentence", key: "solved" }, t("puzzles.solved", { solved, of: puzzles.length })),
    DIFFICULTIES.filter(each => puzzles.some(({ difficulty }) => difficulty === each)).map(each => h("section", { key: each },
      h("h2", {}, t(`puzzles.${each}`)),
      h("ul", { className: "puzzle-list" }, puzzles.map(({ id, difficulty }, n) => difficulty === each && h("li", { key: id },
        h("a", { href: toPuzzle(slug, id) }, t("puzzle.number", { n: n + 1 })), " ",
        states[n] !== "new" && h("span", { className: "tag" }, t(`puzzle.state.${states[n]}`)))))))];
}
