// @ts-check
/** "Why is my time this?": everything that was decided about anybody's time here, with its reason. */

import { get } from "./api.js";
import { h } from "./dom.js";
import { attempt } from "./notice.js";
import { clock, moment, span } from "./time.js";
import { t } from "./words.js";

/** @typedef {{seat: number, at: string, kind: string, due: string | null, reserve: number | null, words: string}} Entry */

export class Why {
  /** @type {Entry[]} newest first */
  entries = [];
  /** @type {string | null} */
  next = null;
  #revision = -1;

  /** @param {string} path of the game */
  constructor(path) {
    this.path = path;
  }

  /** Draws what is known, and loads what came since. @param {import("./api.js").Game} game @param {() => void} redraw */
  draw(game, redraw) {
    if (game.revision > this.#revision) this.#load(game.revision, redraw);
    return h("section", { className: "history", key: "why" },
      h("h2", {}, t("why")),
      h("ol", { reversed: true }, this.entries.map((entry, n) => h("li", { key: `${entry.at} ${this.entries.length - n}` },
        h("time", { datetime: entry.at }, clock(entry.at)), h("p", {}, entry.words), left(entry)))),
      this.next && h("button", { type: "button", onclick: () => this.#more(redraw) }, t("history.earlier")));
  }

  /** @param {number} revision @param {() => void} redraw */
  async #load(revision, redraw) {
    this.#revision = revision;
    await attempt(async () => {
      ({ entries: this.entries, next: this.next } = await get(`${this.path}/clock`));
    });
    redraw();
  }

  /** @param {() => void} redraw */
  async #more(redraw) {
    await attempt(async () => {
      const page = await get(`${this.path}/clock?cursor=${this.next}`);
      this.entries.push(...page.entries);
      this.next = page.next;
    });
    redraw();
  }
}

/** @param {Entry} entry */
function left({ due, reserve }) {
  const said = [due && t("why.due", { time: moment(due) }), reserve !== null && t("time.reserve", { time: span(reserve) })].filter(Boolean);
  return said.length > 0 && h("p", { className: "soft small" }, said.join(t("then")));
}
