// @ts-check
/**
 * A table, for any ruleset: the service lists the legal actions, the page offers them. Its state comes from polling the game
 * and changes by the actions sent; in between only the draft of an action is kept.
 *
 * @typedef {import("../../base/api.js").Game} Game
 */

import { Problem, post, request } from "../../base/api.js";
import { showNothingHere } from "../../base/controls/nothing_here.js";
import { playSound } from "../../base/controls/sound.js";
import { attempt, problemText, showToast } from "../../base/controls/toasts.js";
import { NonceDelivery } from "../../base/nonces.js";
import { Polling } from "../../base/polling.js";
import { isSoon } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { openedOffline } from "../../base/worker_registration.js";
import { MailInvitations } from "../../lobby/waiting_room/invite_by_mail.js";
import { Invited } from "../../lobby/waiting_room/invited.js";
import { hasUnderstood } from "../../rules_page/coach.js";
import { Talk } from "../../talk/talk.js";
import { ClockHistory } from "../../time/clock_history.js";
import { SeenGame } from "../../verify/seen_game.js";
import { Verification } from "../../verify/verification.js";
import { loadDeclared } from "../choosing/declared.js";
import { DraftSteps } from "../choosing/draft_steps.js";
import { listenForDrags } from "../choosing/dragging.js";
import { Foresight } from "../choosing/foresight.js";
import { EMPTY_DRAFT, cardsInAction, readDraft, tapCard } from "../choosing/narrowing.js";
import { RoomForOptions } from "../choosing/room_for_options.js";
import { Unsent } from "../choosing/unsent.js";
import { Fit } from "../fit/fit.js";
import { Replay } from "../replay/replay.js";
import { Scores } from "../scores/scores.js";
import { History } from "./history.js";
import { focusOn, listenForKeys } from "./keyboard_shortcuts.js";
import { LastKnown } from "./last_known.js";
import { LastLook } from "./last_look.js";
import { pauseAt } from "./pauses.js";
import { drawDrawer, drawScreen } from "./screen.js";
import { Strips } from "./seats.js";
import { showPhase, shownTab } from "./side_panel.js";
import { isAsked, isNewQuestion } from "./status_line.js";
import { findNextTable } from "./waiting_for_others.js";

/** The pause between polls while house players answer the user's action: seconds, for so many milliseconds. */
const PAUSE_AFTER_ACTION = 0.35;
const AFTER_ACTION = 5000;
/** Milliseconds after which "in 5 minutes" and the like are redrawn; sooner while seconds are shown. */
const REDRAW_AFTER = 20_000;
const REDRAW_SECONDS_AFTER = 900;
/** Milliseconds after which to look whether that is due. */
const TICK = 1000;

/** Statuses of an action that will never be accepted: after any other problem the same one can be sent again. */
const REFUSED = [403, 404, 409, 422];

/** One table on the screen. */
export class Table {
  /** @type {Game | null} */
  game = null;
  /** @type {import("../choosing/narrowing.js").Types} */
  types = {};
  /** The shapes of parts of the table. @type {import("../../base/api.js").Area[]} */
  layout = [];
  /** What the game is about. */
  summary = "";
  /** Whether an action is being sent; there are no buttons until its answer. */
  sending = false;
  /** The drawer that is open on a phone, and the tab that is shown on a wide screen. */
  drawer = "";
  tab = "history";
  /** @type {Node | null} */
  rules = null;
  room = new RoomForOptions();
  /** The last event when the user began to choose: what happens from then on does not move the table. */
  begunAfter = 0;
  /** Whether something has happened at the table since it was drawn. */
  hasMoved = false;
  /** Controls for language and theme. @type {() => HTMLElement[]} */
  browserSettings = () => [];
  invited = new Invited(() => this.redraw());
  /** The seats of others that are open where they are strips. */
  opened = new Strips(() => {
    this.fit.release();
    this.redraw();
  });
  /** Another table that waits for the user. @type {import("../../base/api.js").Summary | null} */
  nextTable = null;
  /** The version whose action types are known. @type {number | null} */
  #typesOf = null;
  /** @type {string | null} */
  #etag = null;
  /** The newest revision that has arrived; it may not be on screen yet. */
  #newest = 0;
  #acted = 0;
  #drawn = 0;
  #stopped = false;
  /** The event after which the table is shown when the game has come. @type {number | null} */
  #first;

  /** @param {HTMLElement} main @param {string} id @param {number | null} at  the event after which the table is shown first; null: the present */
  constructor(main, id, at) {
    this.main = main;
    this.path = `/api/games/${id}`;
    this.seen = new SeenGame(id);
    this.verification = new Verification(id, this.seen, () => this.redraw());
    this.scores = new Scores(id, () => this.redraw());
    this.steps = new DraftSteps(id);
    this.fit = new Fit(id);
    this.unsent = new Unsent(id);
    this.foresight = new Foresight(this.path, () => this.redraw());
    this.lastLook = new LastLook(id);
    this.lastKnown = new LastKnown(id);
    this.history = new History(id, this.lastLook);
    this.replay = new Replay(id, () => this.redraw(), error => this.#tell(error));
    this.#first = at;
    this.mailInvitations = new MailInvitations(this.path, () => this.redraw());
    this.clockHistory = new ClockHistory(this.path);
    this.talk = new Talk(this.path, () => this.#isTalkShown(), () => pauseAt(this.game, Date.now()), () => this.redraw());
    this.nonceDelivery = new NonceDelivery(game => this.show(game), error => this.#tell(error));
    this.polling = new Polling(() => this.#poll(), error => this.#failed(error));
    this.ticking = setInterval(this.#tick, TICK);
    addEventListener("resize", this.#resized);
    this.undrag = listenForDrags();
    this.unlisten = listenForKeys({ undo: () => this.undo(), startOver: () => this.startOver(), confirm: () => this.confirm(), step: events => this.game !== null && this.replay.step(this.game, events) });
  }

  stop() {
    this.#stopped = true;
    this.talk.stop();
    this.replay.pause();
    this.nonceDelivery.stop();
    this.polling.stop();
    this.foresight.stop();
    clearInterval(this.ticking);
    removeEventListener("resize", this.#resized);
    this.unlisten();
    this.undrag();
  }

  /** The side panel may have come into sight. */
  #resized = () => this.redraw();

  redraw() {
    this.#drawn = Date.now();
    if (!this.#stopped) drawScreen(this);
  }

  #isTalkShown() {
    const drawn = document.querySelector(".side-panel")?.checkVisibility() ?? false;
    return !document.hidden && drawn && this.game !== null && shownTab(this, this.game) === "talk";
  }

  get draft() {
    return this.steps.now;
  }

  /** What the draft stands for now. */
  get reading() {
    return readDraft(this.sending ? [] : (this.game?.legal ?? []), this.types, this.draft);
  }

  /** @param {import("../choosing/narrowing.js").Draft} draft */
  choose(draft) {
    this.unsent.drop();
    if (this.steps.count === 0) this.begunAfter = this.game?.number ?? 0;
    this.steps.choose(draft);
    this.redraw();
  }

  /** Takes back the last step. */
  undo() {
    if (this.sending) return;
    this.unsent.drop();
    this.steps.undo();
    this.redraw();
  }

  /** Closes the drawer if one is open, else an earlier table, else takes back all steps. */
  startOver() {
    if (this.drawer) return this.open("");
    if (this.replay.close()) return;
    if (this.sending) return;
    this.unsent.drop();
    this.steps.startOver();
    this.redraw();
  }

  /** @param {string} code @param {boolean} held */
  draftAfterTap(code, held) {
    return tapCard(this.game?.legal ?? [], this.types, this.draft, code, held);
  }

  /** @param {string} drawer "" closes */
  open(drawer) {
    const was = this.drawer;
    this.drawer = drawer;
    this.tab = drawer || this.tab;
    drawDrawer(this);
    if (this.tab === "talk") this.talk.pollNow();
    focusOn(drawer ? ".side-panel .tab[aria-pressed=true]" : `.tools [data-drawer=${was}]`);
    showPhase(this);
  }

  /** Shows the table after an earlier event; an open drawer would cover it. @param {number} number */
  lookBack(number) {
    this.closePanel();
    if (this.game) this.replay.show(this.game, number);
  }

  /** Closes the drawer if one is open. */
  closePanel() {
    if (this.drawer) this.open("");
  }

  /** Sends the action that is ready. @returns {boolean} whether there was one */
  confirm() {
    const { ready } = this.reading;
    if (!ready || !this.game || this.sending) return false;
    this.#send(this.game, ready);
    return true;
  }

  /** @param {Game} game @param {import("../../base/api.js").Legal} legal @param {boolean} [again]  whether there was no connection before */
  async #send(game, legal, again = false) {
    this.sending = true;
    this.unsent.begin(game, legal);
    if (!again) this.#acted = Date.now();
    this.redraw();
    try {
      const played = await post(`${this.path}/actions`, { asked: game.asked, action: legal.action });
      this.seen.sent(played.number, game.seat ?? 0, legal.action);
      this.lastLook.acted(game, played.number, cardsInAction(this.types, legal));
      hasUnderstood(this, game);
      await this.#settle(played.game);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (REFUSED.includes(error.status)) await this.#settle(error.body.game);
      if (error.slug === "offline") this.unsent.wait(game, legal);
      if (!again || !this.unsent.now) this.#tell(error);
    }
    if (!this.unsent.now) this.unsent.drop();
    this.sending = false;
    this.redraw();
    if (!again || !this.unsent.now) this.polling.now();
  }

  /** The action was played or refused: either way its draft is done with. @param {Game | undefined} game */
  async #settle(game) {
    this.steps.startOver();
    if (game) await attempt(() => this.show(game));
  }

  /**
   * Shows a game from an answer, unless a newer one has arrived, together with its history; undefined: polls at once.
   * @param {Game | undefined} game
   */
  async show(game) {
    if (!game) return this.polling.now();
    this.seen.saw(game);
    if (game.revision < this.#newest) return;
    this.#newest = game.revision;
    const history = this.history.loadUpTo(game.number);
    history.catch(() => {}); // it is told below, unless the ruleset could not be loaded either
    await this.#meetRuleset(game);
    try {
      await history;
      await this.lastLook.catchUp(game, this.history.events);
    } finally {
      if (game.revision === this.#newest) this.#accept(game);
    }
    this.lastKnown.keep(game, this.history.events, { types: this.types, layout: this.layout, summary: this.summary });
    const nextTable = await findNextTable(game);
    if (game !== this.game || nextTable === this.nextTable) return;
    this.nextTable = nextTable;
    this.redraw();
  }

  /** Learns the action types of the version by which the game is played; the rules beside the table change with it. @param {Game} game */
  async #meetRuleset({ status, ruleset: { slug, version } }) {
    if (this.game && this.game.ruleset.version !== version) this.rules = null;
    if (status === "open" || this.#typesOf === version) return;
    ({ actions: this.types, layout: this.layout, summary: this.summary } = await loadDeclared(slug, version));
    this.#typesOf = version;
  }

  /** @param {Game} game */
  #accept(game) {
    if (isNewQuestion(this.game, game)) {
      this.steps.begin(game.asked, game.legal, this.types);
      this.begunAfter = game.number;
    }
    if (!this.game) this.#restoreUnsent(game);
    this.lastLook.meet(game, this.game);
    this.nonceDelivery.meet(game);
    if (this.#becomesMine(game)) playSound();
    this.hasMoved = this.game !== null && this.game.number < game.number && this.replay.at === null;
    this.game = game;
    if (game.status === "over") {
      this.verification.start();
      this.scores.start();
    }
    this.redraw();
    if (this.#first) this.replay.show(game, this.#first);
    this.#first = null;
  }

  /** Whether the user is asked now and was not, after more than a moment: whoever has just acted is still looking. @param {Game} game */
  #becomesMine(game) {
    return this.game !== null && !isAsked(this.game) && isAsked(game) && Date.now() - this.#acted > AFTER_ACTION;
  }

  /** The page was closed before it could be sent. @param {Game} game */
  #restoreUnsent(game) {
    const chosen = this.unsent.restore(game);
    if (chosen && this.steps.count === 0) this.steps.choose({ ...EMPTY_DRAFT, chosen });
  }

  async #poll() {
    if (openedOffline()) await this.#showKept();
    const { data, etag } = await request("GET", this.path, { etag: this.#etag });
    const wasLost = this.lastKnown.answered();
    if (data) await this.show(data);
    else if (wasLost) this.redraw();
    this.#etag = etag;
    if (this.unsent.now && !this.sending) await this.#send(this.unsent.now.game, this.unsent.now.legal, true); // the service knows whether the question is still the same
    const eager = Date.now() - this.#acted < AFTER_ACTION && this.game?.status !== "over";
    return eager ? PAUSE_AFTER_ACTION : pauseAt(this.game, Date.now());
  }

  /** "In 5 minutes" becomes "in 4". */
  #tick = () => {
    if (!document.hidden && this.game?.status !== "over" && Date.now() - this.#drawn > this.#redrawAfter()) this.redraw();
  };

  #redrawAfter() {
    return this.game?.waiting.some(({ due }) => isSoon(due)) ? REDRAW_SECONDS_AFTER : REDRAW_AFTER;
  }

  /** Shows the table as this browser kept it, until the server answers. */
  async #showKept() {
    if (this.game) return;
    const kept = await this.lastKnown.load();
    if (!kept || this.game) return;
    ({ types: this.types, layout: this.layout, summary: this.summary } = kept.declared);
    if (!this.history.events.length) this.history.events = kept.events;
    this.#accept(kept.game);
  }

  /** @param {unknown} error */
  async #failed(error) {
    if (error instanceof Problem && error.slug === "offline") {
      await this.#showKept();
      this.lastKnown.lost();
      return this.lastKnown.asOf === null ? this.#tell(error) : this.redraw();
    }
    if (!(error instanceof Problem) || error.status !== 404) return this.#tell(error);
    this.stop();
    showNothingHere(this.main, t("table.gone"), t("table.gone.why"));
  }

  /** Says what went wrong and, without a connection, that the draft is still there. @param {unknown} error */
  #tell(error) {
    const kept = error instanceof Problem && error.slug === "offline" && this.steps.count > 0;
    showToast(kept ? t("offline.draft") : problemText(error));
  }

  /** Runs a request that answers with the game, and shows it; a problem is shown as a toast. @param {() => Promise<Game | undefined>} act */
  async change(act) {
    await this.show(await attempt(act));
  }

  /** Runs a request and redraws; a problem is shown as a toast. @param {() => Promise<any>} act */
  async attempt(act) {
    await attempt(act);
    this.redraw();
  }
}

/**
 * @param {HTMLElement} main @param {() => HTMLElement[]} browserSettings  controls for language and theme @param {string} id @param {number | null} at  the event after which the table is shown; null: the present
 * @param {string} panel the tab of the side panel that is open; "" for none @returns {() => void} stops it
 */
export function showTable(main, browserSettings, id, at, panel) {
  const shown = new Table(main, id, at);
  shown.browserSettings = browserSettings;
  shown.drawer = panel;
  shown.tab = panel || shown.tab;
  return () => shown.stop();
}
