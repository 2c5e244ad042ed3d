// @ts-check
/**
 * Shows games from answers of the service, the newest only, together with their history.
 *
 * @typedef {import("../../base/api.js").Game} Game
 */

import { get } from "../../base/api.js";
import { load, save } from "../../base/browser_storage.js";
import { playSound } from "../../base/controls/sound.js";
import { attempt } from "../../base/controls/toasts.js";
import { isCalled } from "../../base/game.js";
import { NonceDelivery } from "../../base/nonces.js";
import { language } from "../../base/words.js";
import { player } from "../../people/sign_in/session.js";

export class Answers {
  /** The newest revision that has arrived; it may not be on screen yet. */
  #newest = 0;
  /** Until what came last is on screen. @type {Promise<void>} */
  #shown = Promise.resolve();
  /** The version whose action types are known. @type {number | null} */
  #typesOf = null;
  /** The event after which the table is shown when the game has come. @type {number | null} */
  #first;
  #nonceDelivery;

  /** @param {import("./table.js").Table} table @param {number | null} first  the event after which the table is shown first; null: the present */
  constructor(table, first) {
    this.table = table;
    this.#first = first;
    this.#nonceDelivery = new NonceDelivery(game => this.show(game), error => table.tell(error));
  }

  stop() {
    this.#nonceDelivery.stop();
  }

  /**
   * Shows a game from an answer, or the newer one that has arrived, together with its history: until then an earlier table
   * would ask again what was answered. Undefined: asks for it at once.
   * @param {Game | undefined} game
   */
  async show(game) {
    if (!game) return this.table.connection.ask();
    this.table.seen.saw(game);
    if (game.revision >= this.#newest) this.#shown = this.#bring(game);
    let last;
    do {
      last = this.#shown;
      await last;
    } while (last !== this.#shown);
  }

  /** @param {Game} game  the newest */
  async #bring(game) {
    const { table } = this;
    this.#newest = game.revision;
    const history = table.history.loadUpTo(game.number);
    history.catch(() => {}); // it is told below, unless the ruleset could not be loaded either
    await Promise.all([this.#meetRuleset(game), game.status === "open" && table.waitingRoom.come(game)]);
    /** @type {import("../replay/happened.js").Step[] | null} */
    let happened = [];
    try {
      await history;
      await table.lastLook.catchUp(game, table.history.events);
      happened = await this.#loadHappened(game);
    } finally {
      if (game.revision === this.#newest) this.accept(game, happened);
    }
    const { types, layout, summary } = table;
    table.lastKnown.keep(game, table.history.events, { types, layout, summary });
    const nextTable = await findNextTable(game);
    if (game !== table.game || nextTable === table.nextTable) return;
    table.nextTable = nextTable;
    table.redraw();
  }

  /** Learns the action types of the version by which the game is played; the rules beside the table change with it. @param {Game} game */
  async #meetRuleset({ status, ruleset: { slug, version } }) {
    const { table } = this;
    if (table.game && table.game.ruleset.version !== version) table.panel.rules = null;
    if (status === "open" || this.#typesOf === version) return;
    const { actions: types, layout, summary } = await loadDeclared(slug, version);
    Object.assign(table, { types, layout, summary });
    this.#typesOf = version;
  }

  /** What is to be seen before the table of this game, as far as it was not; null: later, since an answer is being chosen, or the user looks back. @param {Game} game */
  async #loadHappened(game) {
    const { table } = this;
    const was = table.game;
    const from = table.lastLook.shownUntil(was !== null);
    if (!game.view || (was && !was.view) || from === null || game.live?.clock_due) return []; // while all act at once nothing waits
    if ((table.action.steps.count > 0 && was?.asked === game.asked) || this.#first || table.replay.at !== null) return null;
    const steps = await table.happened.load(game, Math.max(from, table.happened.upTo), table.history.events, was && was.number);
    const last = table.history.events.findLast(({ number }) => number <= game.number);
    const ends = was && !was.result && game.result && last;
    return ends ? [...steps, { event: last, view: game.view, stays: true, result: game.result.words }] : steps;
  }

  /** The user is back at the present: what could not be shown when it came is shown now. */
  async showLeftOut() {
    const { game, lastLook } = this.table;
    if (game?.view && (lastLook.shown ?? game.number) < game.number) await attempt(() => this.show(game));
  }

  /** The table is now that of this game, once it was seen what has happened. @param {Game} game @param {import("../replay/happened.js").Step[] | null} [happened]  null: that is shown later */
  accept(game, happened = null) {
    const { table } = this;
    const was = table.game;
    table.action.meet(game);
    table.lastLook.meet(game, was);
    this.#nonceDelivery.meet(game);
    // Whoever has just acted is still looking.
    const isNews = was && !isCalled(was) && isCalled(game) && !table.action.isRecent;
    table.hasMoved = was !== null && was.number < game.number && table.replay.at === null;
    table.game = game;
    const call = () => isNews && playSound("turn");
    if (happened) table.happened.begin(happened, game.number, call);
    else call();
    if (game.status === "over") {
      if (!game.lesson && !game.deal) table.verification.start(); // it has no record, or none yet
      table.scores.start();
    }
    table.redraw();
    if (this.#first) table.replay.show(game, this.#first);
    this.#first = null;
  }
}

/**
 * What a ruleset declares: its actions, how its table looks, and what the game is about. The last that was asked for is kept:
 * whoever comes back mostly comes back to the same game.
 * @param {string} slug @param {number} version of the ruleset @returns {Promise<{actions: import("../choosing/narrowing.js").Types, layout: import("../../base/api.js").Area[], summary: string}>}
 */
async function loadDeclared(slug, version) {
  const key = [slug, version, language(), document.documentElement.dataset.release].join(" ");
  const kept = JSON.parse(load("declared") ?? "{}");
  if (kept.key === key) return kept;
  const { actions, layout, summary } = await get(`/api/rulesets/${slug}?version=${version}`);
  save("declared", JSON.stringify({ key, actions, layout, summary }));
  return { actions, layout, summary };
}

/**
 * Another table at which it is the user's turn, unless it is here too.
 * @param {Game} game @returns {Promise<import("../../base/api.js").Summary | null>}
 */
async function findNextTable(game) {
  if (!player() || game.legal.length) return null;
  const { turns } = await get("/api/me/turns");
  return turns.map((/** @type {any} */ turn) => turn.game).find((/** @type {any} */ each) => each.id !== game.id) ?? null;
}
