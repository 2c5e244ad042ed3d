// @ts-check
/**
 * The history of a game, loaded as the game goes on.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").GameEvent} Event
 */

import { get } from "../../base/api.js";
import { h } from "../../base/dom.js";
import { firstAnswerPath } from "../../base/first_answers.js";
import { isOwnAction } from "../../base/game.js";
import { colourCards, t } from "../../base/words.js";
import { movesOf } from "../../cards/zones/fresh_cards.js";
import { HistoryList } from "../replay/history_list.js";

/** Events that are loaded at once. */
const PAGE = 60;

export class History {
  /** @type {Event[]} oldest first */
  events = [];
  /** @type {Promise<void>} */
  #loading = Promise.resolve();
  /** The parts of the game in which the first of them happened. @type {import("../../base/api.js").Heading[]} */
  #parts = [];
  #list = new HistoryList();

  /** @param {string} id of the game @param {import("./last_look.js").LastLook} lastLook  what others did later is marked as new @param {() => void} changed  earlier tables are others now */
  constructor(id, lastLook, changed) {
    this.id = id;
    this.changed = changed;
    this.lastLook = lastLook;
  }

  /** Loads the events up to `number`. @param {number} number */
  loadUpTo(number) {
    return this.#inTurn(() => this.#load(number));
  }

  /** Loads a page of older events. */
  loadEarlier() {
    return this.#inTurn(() => this.#loadEarlier());
  }

  /** Runs a load after any that is under way: two at once would load the same events twice. @param {() => Promise<void>} run */
  #inTurn(run) {
    this.#loading = this.#loading.catch(() => {}).then(run);
    return this.#loading;
  }

  /** @param {number} number */
  async #load(number) {
    let last = this.events.at(-1)?.number ?? Math.max(0, number - PAGE);
    let brought = this.events.length ? null : firstAnswerPath(`/api/games/${this.id}/events?`);
    while (last < number) {
      const { events, parts = [] } = await get(brought ?? `/api/games/${this.id}/events?after=${last}&limit=${PAGE}`);
      brought = null;
      if (!events.length) return;
      if (!this.events.length) this.#parts = parts;
      const undone = events.map((/** @type {Event} */ { event }) => event);
      const first = this.events.find(each => undone.includes(each.number) && !each.undone)?.number;
      last = first ? first - 1 : events.at(-1).number;
      this.events = first ? this.events.filter(({ number: known }) => known < first) : [...this.events, ...events];
      if (first) this.changed(); // what was taken back is told otherwise now
    }
  }

  async #loadEarlier() {
    const first = this.events[0]?.number ?? 1;
    if (first <= 1) return;
    const after = Math.max(0, first - 1 - PAGE);
    const { events, parts = [] } = await get(`/api/games/${this.id}/events?after=${after}&limit=${first - 1 - after}`);
    this.events.unshift(...events);
    this.#parts = parts;
  }

  /** The events of a game as it is shown: more may have been loaded. @param {Game} game */
  #shown({ number: last }) {
    return this.events.filter(({ number }) => number <= last);
  }

  /** The latest lines, in order. @param {Game} game @param {number} count */
  drawLatest(game, count) {
    const lines = this.#shown(game).slice(-12).flatMap(({ number, lines: told }) => told.map(({ words }, n) => ({ key: `${number} ${n}`, words })));
    return h("ol", { className: "lately", "aria-label": t("lately") }, lines.slice(-count).map(({ key, words }) => h("li", { key }, colourCards(words))));
  }

  /** What is news to the user since their last action, also what that has led to. @param {Game} game @returns {Event[]} */
  missed(game) {
    const last = this.lastLook.number ?? game.number;
    return this.#shown(game).filter(event => event.news && (event.number > last || (event.number === last && isOwnAction(event, game.seat))));
  }

  /** What has been moved since then; what a house player or the rules did in the user's seat was somebody else's doing. @param {Game} game @returns {import("../../cards/zones/fresh_cards.js").Move[]} */
  movesSince(game) {
    const last = this.lastLook.number ?? game.number;
    const isAnother = (/** @type {Event} */ event) => event.seat === game.seat && !isOwnAction(event, game.seat);
    return this.events.filter(({ number }) => number > last).flatMap(event => movesOf(isAnother(event) ? { ...event, seat: -1 } : event));
  }

  /** @param {Game} game @param {Pick<import("../replay/history_list.js").Shown, "at" | "redraw" | "more" | "lookBack">} way */
  draw(game, way) {
    return this.#list.draw({ ...way, game, events: this.#shown(game), parts: this.#parts, seen: this.lastLook.number ?? Infinity, isNews: event => !isOwnAction(event, game.seat) });
  }
}
