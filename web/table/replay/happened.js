// @ts-check
/**
 * What has happened since the table was seen, before the present table is shown: cards travel one event after another, and
 * where choices were opened, a trick was won or a deal scored, the table stops until that was seen (`moment` of an event).
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").GameEvent} GameEvent
 * @typedef {import("../../base/api.js").View} View
 * @typedef {object} Step
 * @property {GameEvent} event
 * @property {View} view  The table as it lay then.
 * @property {boolean} stays  Whether it is to be read; otherwise cards only travel there.
 * @property {string | null} result  Of the end of the game: who has won.
 * @typedef {{stay: number, travel: number}} Pace  Milliseconds for which a moment stays unless the user goes on, and after which the next event follows.
 */

import { Problem, get } from "../../base/api.js";
import { SETTLED_AFTER } from "../../base/controls/just_appeared.js";

/** @type {Pace} */
const PACE = { stay: 1500, travel: 420 };
/** Events that are shown at most: of more, the first ones are left to the history. */
const MOST = 20;

export class Happened {
  /** @type {Step[]} */
  #steps = [];
  /** Whether the first of them has been drawn, and when, in milliseconds since the document began. */
  #isDrawn = false;
  #drawnAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** What follows once all of it was seen. */
  #then = () => {};
  /** When the last of it ended by itself, in milliseconds since the document began. */
  #passedAt = -SETTLED_AFTER;

  /** @param {string} path of the game @param {() => void} redraw  draws the next table, whose cards travel there @param {Pace} [pace] */
  constructor(path, redraw, pace = PACE) {
    this.path = path;
    this.redraw = redraw;
    this.pace = pace;
    document.addEventListener("visibilitychange", this.#seen);
  }

  /** What is shown instead of the present table. */
  get step() {
    return this.#steps[0] ?? null;
  }

  stop() {
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#seen);
  }

  /** What leads from an earlier table to that of a game; nothing if it cannot be had. @param {Game} game @param {number} from  the last event that was seen @param {GameEvent[]} events @returns {Promise<Step[]>} */
  async load(game, from, events) {
    const first = Math.max(from, game.number - MOST);
    const since = events.filter(({ number, lines }) => number > first && number <= game.number && lines.length > 0);
    const isMoving = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!since.some(({ moment }) => moment) && (!isMoving || since.length < 2)) return [];
    try {
      const { views } = await get(`${this.path}/views?after=${first}&limit=${game.number - first}`);
      const known = new Map(views.map((/** @type {{number: number}} */ each) => [each.number, each]));
      return since.flatMap(event => stepsOf(event, known.get(event.number), isMoving && event !== since.at(-1)));
    } catch (error) {
      if (error instanceof Problem) return [];
      throw error;
    }
  }

  /** Whether it ended by itself a moment ago: who touches or presses something now means to go on. */
  get hasJustPassed() {
    return performance.now() - this.#passedAt < SETTLED_AFTER;
  }

  /** Shows these after those that are not shown yet. @param {Step[]} steps @param {() => void} [then]  what follows once all was seen */
  begin(steps, then = () => {}) {
    this.#steps.push(...steps);
    if (!this.step || document.hidden) return then();
    const earlier = this.#then;
    this.#then = () => {
      earlier();
      then();
    };
  }

  /** The step has been drawn: it stays for its time, but only while somebody sees it. @param {number} motion  milliseconds for which cards travel @returns {boolean} whether it was not on screen before */
  drawn(motion) {
    if (!this.step || this.#isDrawn) return false;
    this.#isDrawn = true;
    this.#drawnAt = performance.now();
    this.#wait(motion);
    return true;
  }

  /** @param {number} motion */
  #wait(motion) {
    if (!this.step || document.hidden) return;
    this.#timer = setTimeout(() => this.#pass(), this.step.stays ? motion + this.pace.stay : Math.max(motion, this.pace.travel));
  }

  /** What was to be seen while nobody looked stays from now on. */
  #seen = () => {
    clearTimeout(this.#timer);
    if (this.#isDrawn) this.#wait(0);
  };

  /** Shows none of it. */
  forget() {
    clearTimeout(this.#timer);
    this.#steps = [];
    this.#isDrawn = false;
    this.#then = () => {};
  }

  /** Whoever touches twice meant what was there before. @param {number} at  milliseconds since the document began */
  touch(at) {
    if (at - this.#drawnAt >= SETTLED_AFTER) this.goOn();
  }

  #pass() {
    if (this.#steps.length === 1) this.#passedAt = performance.now();
    this.goOn();
  }

  /** Shows the next table. @returns {boolean} whether there was one before it */
  goOn() {
    return this.#dropTo(1);
  }

  /** Shows the present table. @returns {boolean} whether there was one before it */
  skip() {
    return this.#dropTo(this.#steps.length);
  }

  #end() {
    const then = this.#then;
    this.#then = () => {};
    then();
  }

  /** @param {number} count */
  #dropTo(count) {
    if (!this.step) return false;
    clearTimeout(this.#timer);
    this.#steps.splice(0, count);
    this.#isDrawn = false;
    this.redraw();
    if (!this.step) this.#end();
    return true;
  }
}

/** @param {GameEvent} event @param {{view: View, moment: View | null} | undefined} table  after it @param {boolean} goesOn  whether others follow, to which cards travel from there @returns {Step[]} */
function stepsOf(event, table, goesOn) {
  if (!table) return [];
  const moment = table.moment ? [{ event, view: table.moment, stays: true, result: null }] : [];
  return goesOn ? [...moment, { event, view: table.view, stays: false, result: null }] : moment;
}
