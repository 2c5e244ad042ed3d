// @ts-check
/**
 * What happened, newest first; loaded as the game goes on.
 *
 * @typedef {import("./api.js").Event} Event
 */

import { get } from "./api.js";
import { h } from "./dom.js";
import { load, save } from "./store.js";
import { clock } from "./time.js";
import { prose, t } from "./words.js";

const PAGE = 60;

export class History {
  /** @type {Event[]} oldest first */
  events = [];
  /** @type {Promise<void>} */
  #loading = Promise.resolve();

  /** @param {string} id of the game */
  constructor(id) {
    this.id = id;
    /** What came later is marked as new. */
    this.seen = Number(load(`seen.${id}`) ?? 0);
  }

  /** Loads what there is up to event `number`, after what is being loaded already. @param {number} number */
  upTo(number) {
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

  /** Loads a page of what came before. */
  async earlier() {
    const first = this.events[0]?.number ?? 1;
    const after = Math.max(0, first - 1 - PAGE);
    const { events } = await get(`/api/games/${this.id}/events?after=${after}&limit=${first - 1 - after}`);
    this.events.unshift(...events);
  }

  /** Everything up to the reader's own answer has been seen. @param {number} number of that event */
  catchUp(number) {
    this.seen = number;
    save(`seen.${this.id}`, String(number));
  }

  /** The newest lines, oldest of them first. @param {number} count */
  lately(count) {
    const lines = this.events.slice(-12).flatMap(({ number, lines: told }) => told.map(({ words }, n) => ({ key: `${number} ${n}`, words })));
    return h("ol", { className: "lately", "aria-label": t("lately") }, lines.slice(-count).map(({ key, words }) => h("li", { key }, prose(words))));
  }

  /** @param {() => void} more  what the button for earlier events does */
  draw(more) {
    const first = this.events[0]?.number ?? 1;
    return h("div", { className: "history" },
      h("ol", { reversed: true }, [...this.events].reverse().map(event => this.#entry(event))),
      first > 1 && h("button", { type: "button", onclick: more }, t("history.earlier")));
  }

  /** @param {Event} event */
  #entry({ number, at, lines }) {
    return h("li", { key: String(number), className: number > this.seen ? "new" : "" },
      h("time", { datetime: at }, clock(at)),
      lines.map(({ words }) => h("p", {}, prose(words))));
  }
}
