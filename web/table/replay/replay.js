// @ts-check
/**
 * Looking back: the table as it was after an earlier event, as the user saw it then; once the game is over, with all cards open.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").GameEvent} GameEvent
 * @typedef {import("../../base/api.js").View} View
 * @typedef {object} Position
 * @property {GameEvent} event  The event that led to it.
 * @property {View} view
 * @property {View | null} before  The table before that event, if it is known.
 * @property {boolean} open  Whether this is what lay there at its moment, with the choices turned up.
 */

import { get } from "../../base/api.js";
import { toPosition, toTable } from "../../base/routes.js";
import { STAY } from "./happened.js";

const PAGE = 20;
/** Milliseconds for which each event is shown while they are played one after another. */
const PLAYED_EVERY = 1600;

export class Replay {
  /** The number of the event after which the table is shown; null: the present. @type {number | null} */
  at = null;
  /** Whether all cards lie open, if the game is over. */
  everything = true;
  /** The number of the event at whose moment the table stops; then it goes on to what became of it. @type {number | null} */
  #stopsAt = null;
  /** @type {Map<string, {event: GameEvent, view: View, moment: View | null}>} */
  #known = new Map();
  /** The page that is on its way: a slider that is dragged would ask for all of them at once. @type {Promise<void> | null} */
  #loading = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #stopped;
  /** What is awaited goes on only as long as nothing else was asked for. */
  #run = 0;

  /** @param {string} id of the game @param {() => void} redraw @param {(error: unknown) => void} failed @param {() => void} closed  the present is shown again */
  constructor(id, redraw, failed, closed) {
    this.id = id;
    this.redraw = redraw;
    this.failed = failed;
    this.closed = closed;
  }

  get playing() {
    return this.#timer !== undefined;
  }

  /** The table that is shown instead of the present one, if it has been loaded. @param {Game} game @returns {Position | null} */
  position(game) {
    if (this.at === null) return null;
    const here = this.#known.get(this.#key(game, this.at));
    const before = this.#known.get(this.#key(game, this.at - 1));
    const stops = here?.moment && this.#stopsAt === this.at ? { view: here.moment, open: true } : { open: false };
    return here ? { ...here, before: before?.view ?? null, ...stops } : null;
  }

  /** Shows the table after an event, the first one at least; beyond the last one the present. @param {Game} game @param {number} number */
  async show(game, number) {
    this.pause();
    await this.#goTo(game, number);
  }

  /** Moves by so many events. @param {Game} game @param {number} events @returns {boolean} whether an earlier table is shown */
  step(game, events) {
    if (this.at === null) return false;
    this.show(game, this.at + events);
    return true;
  }

  /** Shows one event after another up to the present, beginning with this one. @param {Game} game @param {number} number */
  async play(game, number) {
    this.pause();
    const run = this.#run;
    if (!await this.#goTo(game, number, true) || run !== this.#run) return;
    this.#timer = setTimeout(() => this.play(game, number + 1), this.#stopsAt === null ? PLAYED_EVERY : STAY + PLAYED_EVERY);
    this.redraw();
  }

  pause() {
    this.#run += 1;
    clearTimeout(this.#timer);
    clearTimeout(this.#stopped);
    this.#timer = undefined;
    this.#stopsAt = null;
  }

  /** Back to the present. @returns {boolean} whether an earlier table was shown */
  close() {
    this.pause();
    if (this.at === null) return false;
    this.#moveTo(null);
    this.closed();
    return true;
  }

  /** @param {Game} game @param {boolean} everything */
  async open(game, everything) {
    this.everything = everything;
    if (this.at !== null) await this.show(game, this.at);
  }

  /** @param {Game} game @param {number} number @param {boolean} [isPlayed]  whether others follow by themselves @returns {Promise<boolean>} whether that table is shown now */
  async #goTo(game, number, isPlayed = false) {
    if (number > game.number) {
      if (game.status !== "over") return !this.close();
      number = game.number;
    }
    const wanted = Math.max(1, number);
    const isNext = isPlayed || this.at === wanted - 1;
    const run = this.#run;
    this.#moveTo(wanted);
    try {
      await this.#load(game, wanted);
    } catch (error) {
      if (run !== this.#run) return false; // for a table that was left, or another event
      this.close();
      this.failed(error);
      return false;
    }
    const isWanted = run === this.#run && this.at === wanted;
    if (isNext && isWanted && this.#known.get(this.#key(game, wanted))?.moment) this.#stopAt(wanted);
    this.redraw();
    return isWanted && number === wanted;
  }

  /** Whoever goes on from event to event sees what lay there when something was opened or decided. @param {number} number */
  #stopAt(number) {
    this.#stopsAt = number;
    this.#stopped = setTimeout(() => {
      this.#stopsAt = null;
      this.redraw();
    }, STAY);
  }

  /** @param {number | null} number */
  #moveTo(number) {
    this.at = number;
    history.replaceState(null, "", number === null ? toTable(this.id) : toPosition(this.id, number));
    this.redraw();
  }

  /** Loads the page that a number is on, unless it is known: one page at a time, and none that has been passed meanwhile. @param {Game} game @param {number} number */
  async #load(game, number) {
    while (this.#loading) await this.#loading.catch(() => {});
    if (this.at !== number || this.#known.has(this.#key(game, number))) return;
    this.#loading = this.#loadPage(game, number);
    try {
      await this.#loading;
    } finally {
      this.#loading = null;
    }
  }

  /** @param {Game} game @param {number} number an event on that page */
  async #loadPage(game, number) {
    const page = `after=${number - 1 - (number - 1) % PAGE}&limit=${PAGE}`;
    const all = this.#isOpen(game) ? "&show=all" : "";
    const [{ views }, { events }] = await Promise.all([
      get(`/api/games/${this.id}/views?${page}${all}`), get(`/api/games/${this.id}/events?${page}`)]);
    for (const event of events) {
      const table = views.find((/** @type {{number: number}} */ each) => each.number === event.number);
      if (table) this.#known.set(this.#key(game, event.number), { event, view: table.view, moment: table.moment ?? null });
    }
  }

  /** Something was taken back, and stood in earlier tables. */
  forget() {
    this.#known.clear();
  }

  /** @param {Game} game */
  #isOpen({ status }) {
    return status === "over" && this.everything;
  }

  /** @param {Game} game @param {number} number */
  #key(game, number) {
    return `${this.#isOpen(game)} ${number}`;
  }
}
