// @ts-check
/**
 * The user's action, from the first touch to the answer of the service: the draft and the steps that led to it, what it would
 * change, sending it, and keeping it while there is no connection.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").Legal} Legal
 */

import { Problem, post } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { hasUnderstood } from "../../rules_page/coach.js";
import { DraftSteps } from "../choosing/draft_steps.js";
import { Foresight } from "../choosing/foresight.js";
import { EMPTY_DRAFT, cardsInAction, readDraft, tapCard } from "../choosing/narrowing.js";
import { RoomForOptions } from "../choosing/room_for_options.js";
import { Unsent } from "../choosing/unsent.js";
import { WhyNot } from "./why_not.js";

/** Statuses of an action that will never be accepted: after any other problem the same one can be sent again. */
const REFUSED = [403, 404, 409, 422];
/** Milliseconds for which somebody who has acted is still looking, while house players answer. */
const AFTER_ACTION = 5000;
/** Milliseconds from a question to its answer, where all act at once: what comes sooner is refused, also after the start. */
const BETWEEN = 500;

export class OwnAction {
  /** Whether it is being sent; there are no buttons until its answer. */
  sending = false;
  /** The last event when the user began to choose: what happens from then on does not move the table. */
  begunAfter = 0;
  /** What keeps room for the options that touches may bring. */
  room = new RoomForOptions();
  /** When the user acted last, in milliseconds since 1970. */
  #acted = 0;
  /** When the present question came, likewise. */
  #asked = 0;

  /** @param {import("./table.js").Table} table @param {string} id of the game */
  constructor(table, id) {
    this.table = table;
    this.steps = new DraftSteps(id);
    this.unsent = new Unsent(id);
    this.foresight = new Foresight(table.path, () => table.redraw());
    this.whyNot = new WhyNot(table);
  }

  get draft() {
    return this.steps.now;
  }

  /** What can be chosen: nothing while an action is on its way, or before it was seen what has happened. */
  get legal() {
    return this.sending || this.table.happened.step ? [] : (this.table.game?.legal ?? []);
  }

  /** What the draft stands for now. */
  get reading() {
    return readDraft(this.legal, this.table.types, this.draft);
  }

  /** Whether the user has acted a moment ago. */
  get isRecent() {
    return Date.now() - this.#acted < AFTER_ACTION;
  }

  /** @param {string} code @param {boolean} held */
  draftAfterTap(code, held) {
    return tapCard(this.table.game?.legal ?? [], this.table.types, this.draft, code, held);
  }

  /** @param {import("../choosing/narrowing.js").Draft} draft */
  choose(draft) {
    if (this.steps.count === 0) this.begunAfter = this.table.game?.number ?? 0;
    this.#step(() => this.steps.choose(draft));
  }

  /** Something was touched that cannot be chosen now. @param {import("../../base/api.js").Touched} touched */
  refuse(touched) {
    if (!this.sending && !this.table.happened.step) this.whyNot.ask(touched, this.draft);
  }

  /** Takes back the last step; whoever changes a choice and has chosen nothing else keeps it. */
  undo() {
    const kept = this.table.game?.changes?.kept;
    if (kept && this.steps.count === 0) this.table.answers.accept(kept, []);
    else if (!this.sending && !this.table.happened.step) this.#step(() => this.steps.undo());
  }

  /** Takes back all steps. */
  startOver() {
    if (!this.sending) this.#step(() => this.steps.startOver());
  }

  /** Whatever is chosen next, an action that waits for a connection is given up. @param {() => void} change */
  #step(change) {
    this.unsent.drop();
    this.whyNot.drop();
    change();
    this.table.redraw();
  }

  /** Another game has come: a draft that no longer fits its question is gone. @param {Game} game  before the table has it */
  meet(game) {
    const was = this.table.game;
    if (isNewQuestion(was, game)) {
      this.#asked = Date.now();
      this.whyNot.drop();
      this.steps.begin(game.asked, game.legal, this.table.types);
      this.begunAfter = game.number;
    }
    if (was) return;
    const chosen = this.unsent.restore(game); // the page was closed before it could be sent
    if (chosen && this.steps.count === 0) this.steps.choose({ ...EMPTY_DRAFT, chosen });
  }

  /** Sends the action that is ready. @returns {boolean} whether there was one */
  confirm() {
    const { ready } = this.reading;
    if (!ready || !this.table.game || this.sending) return false;
    this.#send(this.table.game, ready);
    return true;
  }

  /** There is a connection: sends what waits for one. The service knows whether the question is still the same. */
  async sendAgain() {
    if (this.unsent.now && !this.sending) await this.#send(this.unsent.now.game, this.unsent.now.legal, true);
  }

  /** @param {Game} game @param {Legal} legal @param {boolean} [again]  whether there was no connection before */
  async #send(game, legal, again = false) {
    const { table, unsent } = this;
    this.sending = true;
    unsent.begin(game, legal);
    if (!again) this.#acted = Date.now();
    table.redraw();
    try {
      const { asked, changes } = game;
      const { action } = legal;
      if (game.live) await new Promise(done => setTimeout(done, this.#asked + BETWEEN - Date.now()));
      const played = await (changes ? post(`${table.path}/take-back`, { event: changes.event, action }) : post(`${table.path}/actions`, { asked, action }));
      table.seen.sent(played.number, game.seat ?? 0, legal.action);
      table.lastLook.acted(game, played.number, cardsInAction(table.types, legal));
      hasUnderstood(table, game);
      table.bringRest(game);
      await this.#settle(played.game);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (REFUSED.includes(error.status)) await this.#settle(error.body.game);
      if (error.slug === "offline") unsent.wait(game, legal);
      if (!again || !unsent.now) table.tell(error);
    }
    if (!unsent.now) unsent.drop();
    this.sending = false;
    table.redraw();
    if (!again || !unsent.now) table.connection.ask();
  }

  /** The action was played or refused: either way its draft is done with. @param {Game | undefined} game */
  async #settle(game) {
    this.steps.startOver();
    if (game) await attempt(() => this.table.answers.show(game));
  }
}

/** Whether a draft no longer fits because the question has changed. @param {Game | null} was @param {Game} game */
function isNewQuestion(was, game) {
  return game.asked !== was?.asked || JSON.stringify(game.legal) !== JSON.stringify(was?.legal);
}
