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
 * @typedef {object} Screen
 * @property {() => void} redraw  Draws the next table, whose cards travel there.
 * @property {() => boolean} isSeen  Whether what is shown can be seen: else it does not go on by itself.
 * @property {(number: number) => void} saw  All events up to this one have been shown.
 */

import { Problem, get } from "../../base/api.js";
import { SETTLED_AFTER } from "../../base/controls/just_appeared.js";

/** Milliseconds for which a moment stays unless the user goes on. */
export const STAY = 1500;
/** @type {Pace} */
const PACE = { stay: STAY, travel: 420 };
/** Events that are shown at most: of more, the first ones are left to the history. */
const MOST = 20;
/** What is laid over the table and taken away again: dialogs, menus. */
const UNCOVERING = ["close", "toggle"];

export class Happened {
  /** @type {Step[]} */
  #steps = [];
  /** The last event that they lead to: none is shown twice. */
  #upTo = 0;
  /** Whether the first of them has been drawn, and when, in milliseconds since the document began. */
  #isDrawn = false;
  #drawnAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** What follows once all of it was seen. */
  #then = () => {};
  /** When the last of it ended by itself, in milliseconds since the document began. */
  #passedAt = -SETTLED_AFTER;

  /** @param {string} path of the game @param {Screen} screen @param {Pace} [pace] */
  constructor(path, screen, pace = PACE) {
    this.path = path;
    this.screen = screen;
    this.pace = pace;
    document.addEventListener("visibilitychange", this.look);
    for (const uncovers of UNCOVERING) document.addEventListener(uncovers, this.look, { capture: true });
  }

  /** What is shown instead of the present table. */
  get step() {
    return this.#steps[0] ?? null;
  }

  /** Whether other events follow what is shown. */
  get hasMore() {
    return this.#steps.some(({ event }) => event !== this.step?.event);
  }

  /** The last event that is shown, or waits to be. */
  get upTo() {
    return this.#upTo;
  }

  stop() {
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.look);
    for (const uncovers of UNCOVERING) document.removeEventListener(uncovers, this.look, { capture: true });
  }

  /**
   * What leads from an earlier table to that of a game; nothing if it cannot be had.
   * @param {Game} game @param {number} from  the last event that was shown @param {GameEvent[]} events
   * @param {number | null} drawn  the event after which the table is on screen: of those up to it only moments are left; null: there is none yet @returns {Promise<Step[]>}
   */
  async load(game, from, events, drawn) {
    const first = Math.max(from, game.number - MOST);
    const since = events.filter(({ number, lines, moment }) => number > first && number <= game.number && lines.length > 0 && (moment || number > (drawn ?? 0)));
    const isMoving = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!since.some(({ moment }) => moment) && (!isMoving || since.length < 2)) return [];
    const start = isMoving && drawn === null && first > 0 ? first : null; // from where cards travel
    const after = start === null ? first : first - 1;
    try {
      const { views } = await get(`${this.path}/views?after=${after}&limit=${game.number - after}`);
      const known = new Map(views.map((/** @type {{number: number}} */ each) => [each.number, each]));
      const begun = start !== null && known.has(start) ? [{ event: { ...since[0], number: start, lines: [] }, view: known.get(start).view, stays: false, result: null }] : [];
      return [...begun, ...since.flatMap(event => stepsOf(event, known.get(event.number), isMoving && event !== since.at(-1)))];
    } catch (error) {
      if (error instanceof Problem) return [];
      throw error;
    }
  }

  /** Whether it ended by itself a moment ago: who touches or presses something now means to go on. */
  get hasJustPassed() {
    return performance.now() - this.#passedAt < SETTLED_AFTER;
  }

  /** Shows these after those that are not shown yet. @param {Step[]} steps @param {number} number  the last event that they lead to @param {() => void} [then]  what follows once all was seen */
  begin(steps, number, then = () => {}) {
    if (number > this.#upTo) this.#steps.push(...steps); // else another answer has brought them
    this.#upTo = Math.max(this.#upTo, number);
    if (!this.step) this.screen.saw(this.#upTo);
    if (!this.step || document.hidden) return then();
    const earlier = this.#then;
    this.#then = () => {
      earlier();
      then();
    };
  }

  /** The step has been drawn: it stays for its time, but only while somebody sees it. @param {number} motion  milliseconds for which cards travel @returns {boolean} whether it was not on screen before */
  drawn(motion) {
    if (!this.step) return false;
    const isNew = !this.#isDrawn;
    if (isNew) this.#drawnAt = performance.now();
    this.#isDrawn = true;
    if (isNew || this.#timer === undefined) this.#wait(motion);
    return isNew;
  }

  /** @param {number} motion */
  #wait(motion) {
    this.#rest();
    if (this.step && this.screen.isSeen()) this.#timer = setTimeout(() => this.#pass(), this.step.stays ? motion + this.pace.stay : Math.max(motion, this.pace.travel));
  }

  #rest() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Something may have been laid over it, or taken away: what was to be seen meanwhile stays from now on. */
  look = () => {
    if (this.#isDrawn) this.#wait(0);
  };

  /** Shows none of it: the user sees it elsewhere. */
  forget() {
    this.#rest();
    if (this.step) this.screen.saw(this.#upTo);
    this.#steps = [];
    this.#isDrawn = false;
    this.#then = () => {};
  }

  /** Whoever touches twice meant what was there before. @param {number} at  milliseconds since the document began */
  touch(at) {
    if (at - this.#drawnAt >= SETTLED_AFTER) this.goOn();
  }

  #pass() {
    if (!this.screen.isSeen()) return this.#rest();
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
    this.#rest();
    const dropped = this.#steps.splice(0, count);
    this.#isDrawn = false;
    this.screen.saw(this.step ? dropped[dropped.length - 1].event.number : this.#upTo);
    this.screen.redraw();
    if (!this.step) this.#end();
    return true;
  }
}

/** Whether a dialog or menu lies over what has happened. */
export function isCovered() {
  return document.querySelector("dialog[open], :popover-open") !== null;
}

/** @param {GameEvent} event @param {{view: View, moment: View | null} | undefined} table  after it @param {boolean} goesOn  whether others follow, to which cards travel from there @returns {Step[]} */
function stepsOf(event, table, goesOn) {
  if (!table) return [];
  const moment = table.moment ? [{ event, view: table.moment, stays: true, result: null }] : [];
  return goesOn ? [...moment, { event, view: table.view, stays: false, result: null }] : moment;
}
