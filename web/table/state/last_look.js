// @ts-check
/**
 * What the user had seen when acting last, or at first sight. What has changed since is marked as new, also after a reload,
 * until the user acts again. And up to which event the table has shown what happened: that is not shown again.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../cards/zones/fresh_cards.js").TableBefore} TableBefore
 */

import { Problem, get } from "../../base/api.js";
import { load, save } from "../../base/browser_storage.js";
import { isOwnAction } from "../../base/game.js";
import { cardsNamed, rememberTable } from "../../cards/zones/fresh_cards.js";

export class LastLook {
  /** The number of the last event seen; null before anything was seen. @type {number | null} */
  number = null;
  /** @type {TableBefore | null} */
  table = null;
  /** Whether the user has acted in this game. */
  hasActed = false;
  /** The number of the last event that this browser has shown; null before any was. @type {number | null} */
  shown = null;
  /** Whether it is the user's game, which is kept; and the last event if it is over. */
  #isKept = false;
  #end = Infinity;

  /** @param {string} id of the game */
  constructor(id) {
    this.id = id;
    this.key = `seen.${id}`;
    const stored = JSON.parse(load(this.key) ?? "null");
    if (!stored) return;
    const { number, table, hasActed = false, shown = hasActed ? number : null } = stored;
    Object.assign(this, { number, table, hasActed, shown });
  }

  /** Prepares for showing a game. Spectators do not act: to them the latest change is new. @param {Game} game @param {Game | null} was the game shown up to now */
  meet(game, was) {
    if (!game.view) return;
    this.#isKept = game.seat !== null;
    if (game.result) this.#end = game.number;
    if (this.shown !== null) this.shown = Math.min(this.shown, game.number); // the server may have been put back to an earlier day
    if (game.seat === null && was?.view && was.number < game.number) this.#set(was, []);
    else if (this.number === null) this.#set(game, []);
    if (!game.result) return;
    this.table = null; // at the end all hands are shown, which would all be new
    this.#save();
  }

  /** The table has shown what happened up to an event. @param {number} number */
  saw(number) {
    if (number <= (this.shown ?? -1)) return;
    this.shown = number;
    this.#save();
  }

  /** Of what leads to the present table, the last event that needs not be shown: when acting the user saw what was before; null: all of it. @param {boolean} isOpen  whether the table is on screen */
  shownUntil(isOpen) {
    return this.shown === null || isOpen ? this.shown : Math.max(this.shown, (this.number ?? 0) - 1);
  }

  /** Whoever has acted by mail or in another browser saw what was there then. @param {Game} game @param {import("../../base/api.js").GameEvent[]} events */
  async catchUp(game, events) {
    const acted = events.findLast(each => each.number <= game.number && isOwnAction(each, game.seat));
    if (!acted || this.number === null || acted.number <= this.number) return;
    try {
      const { views } = await get(`/api/games/${this.id}/views?after=${acted.number - 1}&limit=1`);
      if (acted.number > this.number) this.acted({ ...game, view: views[0].view }, acted.number, cardsNamed([acted.action]));
    } catch (error) {
      if (!(error instanceof Problem)) throw error; // else it is marked what has changed since an earlier look
    }
  }

  /** The user has acted. @param {Game} game as it was seen then @param {number} number of the event @param {string[]} played the cards of the action */
  acted(game, number, played) {
    this.hasActed = true;
    this.#set({ ...game, number }, played);
  }

  /** @param {Game} game @param {string[]} played */
  #set({ view, seat, number }, played) {
    this.number = number;
    this.table = view && rememberTable(view, seat, played);
    this.#isKept = seat !== null;
    this.#save();
  }

  /** Until the end has been shown. */
  #save() {
    const { number, table, hasActed, shown } = this;
    if (this.#isKept) save(this.key, (shown ?? 0) >= this.#end ? null : JSON.stringify({ number, table, hasActed, shown }));
  }
}
