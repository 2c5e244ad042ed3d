// @ts-check
/**
 * How the scores of a finished game came about, deal by deal and player by player, and what stayed hidden to its end.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").View} View
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {{entry: string, seat: number, value: number, event: number, words: string}} Entry
 * @typedef {{name: string, number: number, words: string, scores: number[], totals: number[], entries: Entry[]}} Deal
 */

import { get } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { zoneKey } from "../../cards/zones/fresh_cards.js";
import { drawHidden } from "./hidden_cards.js";
import { drawScoreTable } from "./score_table.js";

export class Scores {
  /** @type {{deals: Deal[], hidden: Zone[]} | null} */
  #found = null;
  #asked = false;
  /** The deals whose entries are shown. @type {Set<Deal>} */
  #open = new Set();

  /** @param {string} id of the game @param {() => void} redraw */
  constructor(id, redraw) {
    this.id = id;
    this.redraw = redraw;
  }

  /** Asks for them, once the game is over; does nothing if that has been done. */
  async start() {
    if (this.#asked) return;
    this.#asked = true;
    this.#found = await attempt(() => get(`/api/games/${this.id}/deals`)) ?? null;
    this.#asked = this.#found !== null;
    if (this.#found?.deals.length === 1) this.#open.add(this.#found.deals[0]);
    this.redraw();
  }

  /** The last table with hands and rows turned up; what is left of a stock stays a pile. @param {View} view @returns {View} */
  turnUp(view) {
    const hidden = this.#found?.hidden.filter(({ kind }) => kind !== "pile") ?? [];
    return { ...view, zones: view.zones.map(zone => hidden.find(each => zoneKey(each) === zoneKey(zone)) ?? zone) };
  }

  /** @param {Game} game @param {(number: number) => void} lookBack  shows the table after an event */
  draw(game, lookBack) {
    if (!this.#found) return null;
    const { deals, hidden } = this.#found;
    return [
      deals.length > 0 && drawScoreTable({ game, deals, lookBack, isOpen: deal => this.#open.has(deal), toggle: deal => this.#toggle(deal) }),
      hidden.length > 0 && drawHidden(game, hidden)];
  }

  /** @param {Deal} deal */
  #toggle(deal) {
    if (!this.#open.delete(deal)) this.#open.add(deal);
    this.redraw();
  }
}
