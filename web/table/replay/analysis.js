// @ts-check
/**
 * The analysis of the user's decisions in a finished game: asked for, awaited, and shown, one decision at a time.
 *
 * @typedef {{words: string, value: number, error: number, visits: number, played: boolean}} Choice
 * @typedef {{number: number, worth: number, cost: number, error: number, choices: Choice[]}} Decision
 * @typedef {{state: string, ahead: number, done: number, of: number, decisions: Decision[], turning_points: number[]}} Found
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

/** Seconds between two questions how far it has come. */
const ASKED_EVERY = 3;
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
    this.#polling = new Polling(() => this.#look(), error => this.#fail(error));
  }

  /** Looks whether there is one, or how far it has come, as long as the table is there. */
  async #look() {
    if (this.table.main.isConnected && this.table.analysis === this) this.#show(await get(this.path));
    else this.#polling.stop();
    return this.#found?.state === "waiting" ? ASKED_EVERY : Infinity;
  }

  /** @param {Found} found */
  #show(found) {
    if (found.state === "done") this.#polling.stop();
    [this.#found, this.#isLost] = [found, false];
    const [first] = found.turning_points;
    this.#at = Math.max(0, found.decisions.findIndex(({ number }) => number === first));
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

  async #ask() {
    const found = await attempt(async () => (await request("PUT", this.path)).data);
    if (!found) return;
    this.#show(found);
    this.#polling.now();
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
      h("p", { role: "status", key: "progress" }, this.#isLost ? t("analysis.lost") : found?.state === "waiting" && (found.ahead ? t("analysis.ahead", { n: found.ahead }) : t("analysis.progress", found))),
      found && (found.state === "done" ? this.#drawDone(found) : this.#drawWaiting(found)));
  }

  /** @param {Found} found */
  #drawWaiting({ state, done, of }) {
    if (state === "waiting") return h("progress", { key: "bar", max: of, value: done, "aria-label": t("analysis") });
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
