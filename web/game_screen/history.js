// @ts-check
/**
 * The history of a game, newest first, loaded as the game goes on.
 *
 * @typedef {import("../base/api.js").GameEvent} Event
 */

import { get } from "../base/api.js";
import { load, save } from "../base/browser_storage.js";
import { h } from "../base/dom.js";
import { formatTime } from "../base/time_format.js";
import { colourCards, t } from "../base/words.js";

const PAGE = 60;

export class History {
  /** @type {Event[]} oldest first */
  events = [];
  /** @type {Promise<void>} */
  #loading = Promise.resolve();

  /** @param {string} id of the game */
  constructor(id) {
    this.id = id;
    /** Later events are marked as new. */
    this.seen = Number(load(`seen.${id}`) ?? 0);
  }

  /** Loads the events up to `number`, after any load under way. @param {number} number */
  loadUpTo(number) {
    this.#loading = this.#loading.catch(() => {}).then(() => this.#load(number));
    return this.#loading;
  }

  /** @param {number} number */
  async #load(number) {
    let last = this.events.at(-1)?.number ?? Math.max(0, number - PAGE);
    while (last < number) {
      const { events } = await get(`/api/games/${this.id}/events?after=${last}&limit=${PAGE}`);
      if (!events.length) return;
      this.events.push(...events);
      last = events.at(-1).number;
    }
  }

  /** Loads a page of older events. */
  async loadEarlier() {
    const first = this.events[0]?.number ?? 1;
    const after = Math.max(0, first - 1 - PAGE);
    const { events } = await get(`/api/games/${this.id}/events?after=${after}&limit=${first - 1 - after}`);
    this.events.unshift(...events);
  }

  /** Marks all events as seen up to the user's own action. @param {number} number of its event */
  markSeen(number) {
    this.seen = number;
    save(`seen.${this.id}`, String(number));
  }

  /** The latest lines, in order. @param {number} count */
  drawLatest(count) {
    const lines = this.events.slice(-12).flatMap(({ number, lines: told }) => told.map(({ words }, n) => ({ key: `${number} ${n}`, words })));
    return h("ol", { className: "lately", "aria-label": t("lately") }, lines.slice(-count).map(({ key, words }) => h("li", { key }, colourCards(words))));
  }

  /** @param {() => void} more  loads earlier events */
  draw(more) {
    const first = this.events[0]?.number ?? 1;
    return h("div", { className: "history" },
      h("ol", { reversed: true }, [...this.events].reverse().map(event => this.#drawEntry(event))),
      first > 1 && h("button", { type: "button", onclick: more }, t("history.earlier")));
  }

  /** @param {Event} event */
  #drawEntry({ number, at, lines }) {
    return h("li", { key: String(number), className: number > this.seen ? "new" : "" },
      h("time", { datetime: at }, formatTime(at)),
      lines.map(({ words }) => h("p", {}, colourCards(words))));
  }
}
