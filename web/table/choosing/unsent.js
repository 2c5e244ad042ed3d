// @ts-check
/**
 * An action that was confirmed, and may not have arrived. This browser keeps it until it is answered or given up, also while
 * the page is closed: phones close pages as they like. What arrives twice is played once.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").Legal} Legal
 */

import { load, save } from "../../base/browser_storage.js";

export class Unsent {
  /** What is to be sent once there is a connection, with the game as it was seen then. @type {{game: Game, legal: Legal} | null} */
  now = null;

  /** @param {string} id of the game */
  constructor(id) {
    this.key = `unsent.${id}`;
  }

  /** It is on its way. @param {Game} game @param {Legal} legal */
  begin(game, legal) {
    this.now = null;
    save(this.key, JSON.stringify({ asked: game.asked, legal }));
  }

  /** There is no connection. @param {Game} game @param {Legal} legal */
  wait(game, legal) {
    this.now = { game, legal };
  }

  /** It was answered, or given up. */
  drop() {
    this.now = null;
    save(this.key, null);
  }

  /** What was kept when the page was closed. @param {Game} game @returns {Legal | null} the action, if the question is still the same */
  restore(game) {
    const kept = JSON.parse(load(this.key) ?? "null");
    if (!kept) return null;
    this.wait({ ...game, asked: kept.asked }, kept.legal);
    return kept.asked === game.asked ? kept.legal : null;
  }
}
