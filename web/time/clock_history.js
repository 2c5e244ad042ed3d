// @ts-check
/** Everything that has changed the time of any seat in this game, with the reason. */

import { get } from "../base/api.js";
import { attempt } from "../base/controls/toasts.js";
import { h } from "../base/dom.js";
import { formatDuration, formatTime } from "../base/time_format.js";
import { t } from "../base/words.js";
import { formatDueTime } from "./deadlines.js";

/** @typedef {{seat: number, at: string, kind: string, due: string | null, reserve: number | null, words: string}} Entry */

export class ClockHistory {
  /** @type {Entry[]} newest first */
  entries = [];
  /** @type {string | null} */
  next = null;
  #revision = -1;

  /** @param {string} path of the game */
  constructor(path) {
    this.path = path;
  }

  /** Draws the entries loaded so far, and loads those that are missing. @param {import("../base/api.js").Game} game @param {() => void} redraw */
  draw(game, redraw) {
    if (game.revision > this.#revision) this.#load(game.revision, redraw);
    return h("section", { className: "history", key: "why" },
      h("h2", {}, t("why")),
      h("ol", { reversed: true }, this.entries.map((entry, n) => h("li", { key: `${entry.at} ${this.entries.length - n}` },
        h("time", { datetime: entry.at }, formatTime(entry.at)), h("p", {}, entry.words), entryDetails(entry)))),
      this.next && h("button", { type: "button", onclick: () => this.#more(redraw) }, t("history.earlier")));
  }

  /** @param {number} revision @param {() => void} redraw */
  async #load(revision, redraw) {
    this.#revision = revision;
    await attempt(async () => {
      const page = await get(`${this.path}/clock`);
      if (revision === this.#revision) ({ entries: this.entries, next: this.next } = page); // else a newer one is on its way
    });
    redraw();
  }

  /** @param {() => void} redraw */
  async #more(redraw) {
    const cursor = this.next;
    await attempt(async () => {
      const page = await get(`${this.path}/clock?cursor=${cursor}`);
      if (cursor !== this.next) return; // the list was reloaded, or this page has come already
      this.entries.push(...page.entries);
      this.next = page.next;
    });
    redraw();
  }
}

/** @param {Entry} entry */
function entryDetails({ due, reserve }) {
  const said = [due && t("why.due", { time: formatDueTime(due) }), reserve !== null && t("time.reserve", { time: formatDuration(reserve) })].filter(Boolean);
  return said.length > 0 && h("p", { className: "soft small" }, said.join(t("then")));
}
