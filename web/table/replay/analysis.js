// @ts-check
/**
 * The analysis of the user's decisions in a finished game: asked for, awaited, and shown, one decision at a time.
 *
 * @typedef {{words: string, value: number, error: number, visits: number, played: boolean}} Choice
 * @typedef {{number: number, worth: number, cost: number, error: number, choices: Choice[]}} Decision
 * @typedef {{state: string, ahead: number, done: number, of: number, decisions: Decision[], turning_points: number[]}} Found
 */

import { get, request } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { loadAllWords, t } from "../../base/words.js";
import { drawCurve } from "./analysis_curve.js";
import { drawDecision, drawDecisions } from "./analysis_decisions.js";

/** Begins to show it below a table. @param {{path: string, game: import("../../base/api.js").Game | null, main: Element, analysis: {draw: () => any} | null, redraw: () => void, lookBack: (number: number) => void}} table */
export async function analyse(table) {
  await loadAllWords();
  table.analysis = new Analysis(table);
  await table.analysis.start();
}

/** Milliseconds between two questions how far it has come. */
const ASKED_EVERY = 3000;

class Analysis {
  /** @type {Found | null} */
  #found = null;
  /** The decision that is shown, by its place in the game. */
  #at = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Parameters<typeof analyse>[0]} table */
  constructor(table) {
    this.table = table;
    this.path = `${table.path}/analysis`;
  }

  /** Looks whether there is one, or how far it has come. */
  async start() {
    this.#show(await attempt(() => get(this.path)));
  }

  /** @param {Found | undefined} found */
  #show(found) {
    clearTimeout(this.#timer);
    if (!found) return;
    this.#found = found;
    const [first] = found.turning_points;
    this.#at = Math.max(0, found.decisions.findIndex(({ number }) => number === first));
    if (found.state === "waiting") this.#timer = setTimeout(() => this.#askAgain(), ASKED_EVERY);
    this.table.redraw();
  }

  /** As long as the table is there. */
  #askAgain() {
    if (this.table.main.isConnected && this.table.analysis === this) this.start();
  }

  async #ask() {
    this.#show(await attempt(async () => (await request("PUT", this.path)).data));
  }

  /** @param {number} at */
  #goTo(at) {
    this.#at = at;
    this.table.redraw();
  }

  draw() {
    const found = this.#found;
    return found && h("section", { className: "analysis score-table sheet", key: "analysis", "aria-labelledby": "analysis" },
      h("h2", { id: "analysis", tabindex: -1 }, t("analysis")),
      found.state === "done" ? this.#drawDone(found) : this.#drawWaiting(found));
  }

  /** @param {Found} found */
  #drawWaiting({ state, ahead, done, of }) {
    if (state === "waiting") return [h("p", { role: "status", key: "progress" }, ahead ? t("analysis.ahead", { n: ahead }) : t("analysis.progress", { done, of })), h("progress", { max: of, value: done, "aria-label": t("analysis") })];
    return [
      h("p", { key: "what" }, t(state === "failed" ? "analysis.failed" : "analysis.what")),
      h("button", { type: "button", id: "ask-analysis", key: "ask", onclick: () => this.#ask() }, t("analysis.ask"))];
  }

  /** @param {Found} found */
  #drawDone({ decisions, turning_points }) {
    if (!decisions.length) return h("p", {}, t("analysis.nothing"));
    const goTo = (/** @type {number} */ at) => this.#goTo(at);
    const look = (/** @type {number} */ number) => this.table.lookBack(number);
    return [
      drawCurve(decisions, this.#at, turning_points, goTo),
      drawDecision(decisions[this.#at], this.#at, decisions.length, look, /** @type {import("../../base/api.js").Game} */ (this.table.game)),
      drawDecisions(decisions, turning_points, goTo)];
  }
}
