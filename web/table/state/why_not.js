// @ts-check
/**
 * Why something that was touched cannot be chosen: the service says it, since the page knows no rules. It stands in the confirm
 * bar until the next step.
 *
 * @typedef {import("../../base/api.js").Touched} Touched
 * @typedef {import("../choosing/narrowing.js").Draft} Draft
 */

import { Problem, request } from "../../base/api.js";

export class WhyNot {
  /** The words, if something was touched that cannot be chosen. @type {string | null} */
  words = null;
  #asking = new AbortController();

  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
  }

  /** @param {Touched} touched @param {Draft} draft  what has been chosen */
  async ask(touched, { type, values, picked, chosen }) {
    const { game, path } = this.table;
    if (!game?.legal.length) return;
    this.drop();
    const { signal } = this.#asking;
    const { type: whole, ...given } = chosen?.action ?? { type };
    const body = { asked: game.asked, chosen: { type: whole, values: chosen ? given : values, picked: chosen ? [] : picked }, touched };
    try {
      const { data } = await request("POST", `${path}/why-not`, { body, signal });
      if (signal.aborted) return;
      this.words = data.words;
      this.table.redraw();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!signal.aborted && error.status !== 409) this.table.tell(error); // the table has moved on: it is drawn anew anyway
    }
  }

  /** Something else is chosen or asked. */
  drop() {
    this.#asking.abort();
    this.#asking = new AbortController();
    this.words = null;
  }
}
