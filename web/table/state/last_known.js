// @ts-check
/**
 * The table without a connection: it stays as it was, or as this browser kept it, and says as of when.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../people/sign_in/kept_tables.js").KeptTable} KeptTable
 */

import { h } from "../../base/dom.js";
import { formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { keepTable, keptTable } from "../../people/sign_in/kept_tables.js";

/** How many of the latest events are kept with a table. */
const EVENTS = 60;

export class LastKnown {
  /** As of when the table is shown, in milliseconds since 1970; null while there is a connection. @type {number | null} */
  asOf = null;
  /** When the server answered last. @type {number | null} */
  #answered = null;

  /** @param {string} id of the game */
  constructor(id) {
    this.id = id;
  }

  /** The server has answered. @returns {boolean} whether there was no connection before */
  answered() {
    const wasLost = this.asOf !== null;
    this.#answered = Date.now();
    this.asOf = null;
    return wasLost;
  }

  /** There is no connection: the table on screen is that of the last answer. */
  lost() {
    this.asOf ??= this.#answered;
  }

  /** The table as this browser kept it; null if it did not. @returns {Promise<KeptTable | null>} */
  async load() {
    const kept = await keptTable(this.id);
    if (kept) this.asOf = kept.at;
    return kept;
  }

  /** Keeps what is on screen. @param {Game} game @param {import("../../base/api.js").GameEvent[]} events @param {KeptTable["declared"]} declared */
  keep(game, events, declared) {
    if (game.lesson || game.deal) return; // it is in no list, of this browser neither
    keepTable(game, events.filter(({ number }) => number <= game.number).slice(-EVENTS), declared);
  }

  /** That there is no connection, in words; "" while there is one. */
  get words() {
    return this.asOf === null ? "" : t("offline.as-of", { time: formatTime(new Date(this.asOf).toISOString()) });
  }

  draw() {
    return this.words && h("span", { className: "offline", key: "offline" }, this.words);
  }
}
