// @ts-check
/**
 * The history of a game, newest first, loaded as the game goes on.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").GameEvent} Event
 */

import { get } from "../../base/api.js";
import { h } from "../../base/dom.js";
import { firstAnswerPath } from "../../base/first_answers.js";
import { isOwnAction } from "../../base/game.js";
import { toPosition } from "../../base/routes.js";
import { formatTime } from "../../base/time_format.js";
import { colourCards, language, t } from "../../base/words.js";

/** Events that are loaded at once. */
const PAGE = 60;
/** Entries that are drawn at once, about as many as are in view, and as many again whenever there is time. */
const AT_ONCE = 12;
/** Milliseconds after which older entries are drawn at the latest. */
const LATEST = 500;
/** Milliseconds that have to be left for some more of them. */
const ENOUGH = 8;
const whenIdle = globalThis.requestIdleCallback ?? ((/** @type {IdleRequestCallback} */ run) => setTimeout(() => run({ didTimeout: true, timeRemaining: () => 0 }), 1));

export class History {
  /** @type {Event[]} oldest first */
  events = [];
  /** @type {Promise<void>} */
  #loading = Promise.resolve();
  /** What is still to be drawn, by the key of its list. @type {Map<string, {events: Event[], draw: (event: Event) => HTMLElement}>} */
  #undrawn = new Map();
  /** How many entries may still be drawn at once. */
  #budget = AT_ONCE;

  /** @param {string} id of the game @param {import("./last_look.js").LastLook} lastLook  what others did later is marked as new */
  constructor(id, lastLook) {
    this.id = id;
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
      const { events } = await get(brought ?? `/api/games/${this.id}/events?after=${last}&limit=${PAGE}`);
      brought = null;
      if (!events.length) return;
      this.events.push(...events);
      last = events.at(-1).number;
    }
  }

  async #loadEarlier() {
    const first = this.events[0]?.number ?? 1;
    if (first <= 1) return;
    const after = Math.max(0, first - 1 - PAGE);
    const { events } = await get(`/api/games/${this.id}/events?after=${after}&limit=${first - 1 - after}`);
    this.events.unshift(...events);
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

  /** What others did since the user acted last. @param {Game} game @returns {Event[]} */
  missed(game) {
    const last = this.lastLook.number ?? game.number;
    return this.#shown(game).filter(event => event.number > last && event.lines.length > 0 && !isOwnAction(event, game.seat));
  }

  /** What has been done since then: by the user, elsewhere, and by others. @param {Game} game @returns {{own: any[], others: any[]}} */
  actionsSince(game) {
    const last = this.lastLook.number ?? game.number;
    const done = this.events.filter(({ number }) => number > last);
    return {
      own: done.filter(event => isOwnAction(event, game.seat)).map(({ action }) => action),
      others: done.map(event => [isOwnAction(event, game.seat) ? null : event.action, event.opened?.filter(({ seat }) => seat !== game.seat)]),
    };
  }

  /** @param {Game} game @param {() => void} more  loads earlier events @param {(number: number) => void} lookBack  shows the table after an event @param {number | null} at  the event after which it is shown */
  draw(game, more, lookBack, at) {
    const first = this.events[0]?.number ?? 1;
    const known = new Set([...document.querySelectorAll(".history > [data-key]")].map(list => list.getAttribute("data-key")));
    this.#budget = known.size ? Infinity : AT_ONCE;
    const lists = pagesOf(this.#shown(game)).reverse().map(page => this.#drawPage(page, game.seat, lookBack, at, known));
    return h("div", { className: "history" },
      game.view && h("button", { type: "button", onclick: () => lookBack(1) }, t("replay.start")),
      lists,
      first > 1 && h("button", { type: "button", onclick: more }, t("history.earlier")));
  }

  /**
   * Some entries. What is on screen already and has not changed is left alone: a long history would take longer than all else.
   * When the history opens, the newest entries are drawn at once, and the others when nothing else is to be done.
   * @param {Event[]} events oldest first @param {number | null} me @param {(number: number) => void} lookBack @param {number | null} at
   * @param {Set<string | null>} known  the keys of the lists on screen
   */
  #drawPage(events, me, lookBack, at, known) {
    const [first, last] = [events[0].number, events[events.length - 1].number];
    const news = Math.max(first - 1, Math.min(last, this.lastLook.number ?? last));
    const key = ["history", this.id, language(), first, last, news, at !== null && at >= first && at <= last ? at : ""].join(" ");
    if (known.has(key)) return h("ol", { key, "data-own": true, reversed: true });
    const draw = (/** @type {Event} */ event) => this.#drawEntry(event, me, lookBack, at === event.number);
    const newest = [...events].reverse();
    const now = newest.splice(0, this.#budget);
    this.#budget -= now.length;
    if (newest.length) {
      if (!this.#undrawn.size) whenIdle(this.#drawSome, { timeout: LATEST });
      this.#undrawn.set(key, { events: newest, draw });
    }
    return h("ol", { key, "data-own": true, reversed: true }, now.map(draw));
  }

  /** Draws what is left, the newest first, as long as there is time; lists that are no longer on screen are forgotten. @type {IdleRequestCallback} */
  #drawSome = deadline => {
    for (const [key, { events, draw }] of this.#undrawn) {
      const list = document.querySelector(`.history > [data-key="${CSS.escape(key)}"]`);
      list?.append(...events.splice(0, AT_ONCE).map(draw));
      if (!list || !events.length) this.#undrawn.delete(key);
      if (deadline.timeRemaining() < ENOUGH) break;
    }
    if (this.#undrawn.size) whenIdle(this.#drawSome, { timeout: LATEST });
  };

  /** @param {Event} event @param {number | null} me @param {(number: number) => void} lookBack @param {boolean} isShown */
  #drawEntry(event, me, lookBack, isShown) {
    const { number, at, lines } = event;
    const isOwn = isOwnAction(event, me);
    const clicked = (/** @type {MouseEvent} */ click) => {
      click.preventDefault();
      lookBack(number);
    };
    return h("li", { key: String(number), className: number > (this.lastLook.number ?? number) && !isOwn ? "new" : "", "aria-current": isShown ? "step" : null },
      h("a", { href: toPosition(this.id, number), onclick: clicked, "aria-label": t("replay.here", { time: formatTime(at) }) }, h("time", { datetime: at }, formatTime(at))),
      lines.map(({ words }) => h("p", {}, colourCards(words))));
  }
}

/** Pages that never change once they are full. @param {Event[]} events oldest first @returns {Event[][]} */
function pagesOf(events) {
  /** @type {Map<number, Event[]>} */
  const pages = new Map();
  for (const event of events) {
    const page = Math.floor((event.number - 1) / PAGE);
    const known = pages.get(page);
    if (known) known.push(event);
    else pages.set(page, [event]);
  }
  return [...pages.values()];
}
