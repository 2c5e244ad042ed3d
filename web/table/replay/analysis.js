// @ts-check
/**
 * The analysis of the user's decisions in a finished game: asked for, awaited, and shown, one decision at a time.
 *
 * @typedef {{words: string, value: number, error: number, visits: number, played: boolean}} Choice
 * @typedef {{number: number, worth: number, cost: number, error: number, choices: Choice[]}} Decision
 * @typedef {{state: string, ahead: number, done: number, of: number}} Progress
 * @typedef {Progress & {depth: string, decisions: Decision[], turning_points: number[], deep: Progress}} Found
 */

import { Problem, get, request } from "../../base/api.js";
import { attempt, showToast, problemText } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { Polling } from "../../base/polling.js";
import { t } from "../../base/words.js";
import { drawCurve } from "./analysis_curve.js";
import { drawDecision, drawDecisions } from "./analysis_decisions.js";

/** Begins to show it below a table. @param {{path: string, game: import("../../base/api.js").Game | null, main: Element, analysis: {draw: () => any} | null, redraw: () => void, lookBack: (number: number) => void}} table */
export function analyse(table) {
  new Analysis(table);
  table.redraw();
  document.getElementById("analysis")?.focus(); // the button has gone
}

/** Seconds between two questions how far it has come, and how far a deep one has, beside the usual one. */
const ASKED_EVERY = 3, DEEP_ASKED_EVERY = 15;
/** What the service refuses for good; all else is asked for again. */
const REFUSED = [400, 401, 403, 404, 409];

class Analysis {
  /** @type {Found | null} */
  #found = null;
  /** The decision that is shown, by its place in the game. */
  #at = 0;
  /** Whether the service did not answer when it was asked last. */
  #isLost = false;
  #polling;

  /** @param {Parameters<typeof analyse>[0]} table */
  constructor(table) {
    this.table = table;
    this.path = `${table.path}/analysis`;
    table.analysis = this;
    this.#polling = this.#poll();
  }

  #poll() {
    return new Polling(() => this.#look(), error => this.#fail(error));
  }

  /** Looks whether there is one, or how far it has come, as long as the table is there. */
  async #look() {
    if (this.table.main.isConnected && this.table.analysis === this) this.#show(await get(this.path));
    else this.#polling.stop();
    if (this.#found?.state === "waiting") return ASKED_EVERY;
    return this.#found?.deep.state === "waiting" ? DEEP_ASKED_EVERY : Infinity;
  }

  /** @param {Found} found */
  #show(found) {
    if (found.state === "done" && found.deep.state !== "waiting") this.#polling.stop();
    const [first] = found.turning_points;
    // A deep one has the same decisions: who looks at one stays there.
    if (this.#found?.state !== found.state) this.#at = Math.max(0, found.decisions.findIndex(({ number }) => number === first));
    [this.#found, this.#isLost] = [found, false];
    this.table.redraw();
  }

  /** What is refused can be asked for once more by hand; all else is asked for again, ever more seldom. @param {unknown} error */
  #fail(error) {
    if (error instanceof Problem && REFUSED.includes(error.status)) {
      this.#polling.stop();
      this.table.analysis = null;
      showToast(problemText(error));
    } else if (!(error instanceof Problem)) throw error;
    this.#isLost = true;
    this.table.redraw();
  }

  /** @param {string} depth */
  async #ask(depth) {
    const found = await attempt(async () => (await request("PUT", this.path, { body: { depth } })).data);
    if (!found) return;
    this.#show(found);
    this.#polling.stop(); // it may have ended with the usual one
    this.#polling = this.#poll();
  }

  /** @param {number} at */
  #goTo(at) {
    this.#at = at;
    this.table.redraw();
  }

  draw() {
    const found = this.#found;
    return h("section", { className: "analysis score-table sheet", key: "analysis", "aria-labelledby": "analysis" },
      h("h2", { id: "analysis", tabindex: -1 }, t("analysis")),
      h("p", { role: "status", key: "progress" }, this.#isLost ? t("analysis.lost") : found && sayProgress(found)),
      found && [
        drawBar(found),
        found.state === "done" ? this.#drawDone(found) : found.state !== "waiting" && this.#drawAsking(found),
        found.state !== "waiting" && this.#drawDeep(found)]);
  }

  /** @param {Found} found */
  #drawAsking({ state }) {
    return [
      h("p", { key: "what" }, t(state === "failed" ? "analysis.failed" : "analysis.what")),
      h("button", { type: "button", id: "ask-analysis", key: "ask", onclick: () => this.#ask("usual") }, t("analysis.ask"))];
  }

  /** Offers a deep analysis, unless there is one, or one waits, or nothing could be analyzed. @param {Found} found */
  #drawDeep({ state, decisions, deep }) {
    if (!["none", "failed"].includes(deep.state) || (state === "done" && !decisions.length)) return false;
    return h("section", { className: "deeper", key: "deep" },
      h("p", {}, t(deep.state === "failed" ? "analysis.deep.failed" : "analysis.deep.what")),
      h("button", { type: "button", id: "ask-deep-analysis", onclick: () => this.#ask("deep") }, t("analysis.deep.ask")));
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

/** How far it has come, or that it is the deep one. @param {Found} found */
function sayProgress({ state, ahead, done, of, depth, deep }) {
  if (state === "waiting" && depth !== "deep") return ahead ? t("analysis.ahead", { n: ahead }) : t("analysis.progress", { done, of });
  if (deep.state === "waiting") return deep.ahead ? t("analysis.deep.ahead", { n: deep.ahead }) : t("analysis.deep.progress", deep);
  return depth === "deep" && state === "done" && of > 0 && t("analysis.deep.shown");
}

/** @param {Found} found */
function drawBar(found) {
  const waits = found.state === "waiting" ? found : found.deep;
  const isDeep = waits === found.deep || found.depth === "deep";
  return waits.state === "waiting" && h("progress", { key: "bar", max: waits.of, value: waits.done, "aria-label": t(isDeep ? "analysis.deep" : "analysis") });
}
