// @ts-check
/**
 * A table, for any ruleset: the server lists, the page offers. State comes in by following the game and goes out as one of
 * the actions offered; between them only the draft of a move is remembered.
 *
 * @typedef {import("./api.js").Game} Game
 */

import { Problem, ask, get, post } from "./api.js";
import { isAskedAnew } from "./asked.js";
import { NOTHING, read, tap, touched } from "./choice.js";
import { follow } from "./follow.js";
import { History } from "./history.js";
import { Inviting } from "./inviting.js";
import { focusOn, listen } from "./keys.js";
import { nextTable } from "./next.js";
import { attempt, tell, worded } from "./notice.js";
import { point } from "./point.js";
import { gone } from "./room.js";
import { draw } from "./scene.js";
import { shownTab } from "./side.js";
import { Talk } from "./talk.js";
import { isSoon } from "./time.js";
import { Why } from "./why.js";

/** Seconds between looks: never less; and just after an own move, while house players answer, for so many ms. */
const LEAST = 0.5;
const EAGER = 0.35;
const EAGER_FOR = 5000;
/** Ms after which hints such as "in 5 minutes" are drawn anew; while seconds count, sooner. */
const HINTS = 20_000;
const SECONDS = 900;

/** One table on the screen. */
export class Table {
  /** @type {Game | null} */
  game = null;
  /** @type {import("./choice.js").Types} */
  types = {};
  draft = NOTHING;
  /** An answer is on its way: there are no buttons until the next view. */
  sending = false;
  /** What the reader saw when answering last; what came since is marked. @type {import("./api.js").View | null} */
  before = null;
  /** The drawer that is open on a phone, the tab that is shown beside a wide table. */
  drawer = "";
  tab = "history";
  /** @type {Node | null} */
  rules = null;
  /** A table that waits for me too. @type {import("./api.js").Summary | null} */
  next = null;
  /** @type {string | null} */
  #etag = null;
  #acted = 0;
  #drawn = 0;
  #left = false;

  /** @param {HTMLElement} main @param {string} id */
  constructor(main, id) {
    this.main = main;
    this.path = `/api/games/${id}`;
    this.history = new History(id);
    this.inviting = new Inviting(this.path, () => this.redraw());
    this.why = new Why(this.path);
    this.talk = new Talk(this.path, () => this.#talkIsSeen(), () => this.redraw());
    this.following = follow(() => this.#look(), error => this.#failed(error));
    this.unlisten = listen({ undo: () => this.undo(), confirm: () => this.confirm() });
  }

  leave() {
    this.#left = true;
    this.talk.leave();
    this.following.stop();
    this.unlisten();
  }

  redraw() {
    this.#drawn = Date.now();
    if (!this.#left) draw(this);
  }

  #talkIsSeen() {
    const drawn = document.querySelector(".side")?.checkVisibility() ?? false;
    return !document.hidden && drawn && this.game !== null && shownTab(this, this.game) === "talk";
  }

  /** What the draft means now. */
  get reading() {
    return read(this.sending ? [] : (this.game?.legal ?? []), this.types, this.draft);
  }

  /** @param {import("./choice.js").Draft} draft */
  choose(draft) {
    this.draft = draft;
    this.redraw();
  }

  undo() {
    if (this.drawer) this.open("");
    else if (touched(this.draft)) this.choose(NOTHING);
  }

  /** @param {string} code @param {boolean} held */
  tapped(code, held) {
    return tap(this.game?.legal ?? [], this.types, this.draft, code, held);
  }

  /** The draft after pointing at a place on the table; null: it fits nowhere. @param {number} place */
  pointed(place) {
    return point(this.game?.legal ?? [], this.types, this.draft, place);
  }

  /** @param {string} drawer "" closes */
  open(drawer) {
    const was = this.drawer;
    this.drawer = drawer;
    this.tab = drawer || this.tab;
    this.redraw();
    if (this.tab === "talk") this.talk.look();
    focusOn(drawer ? ".side .tab[aria-pressed=true]" : `.tools [data-drawer=${was}]`);
  }

  /** Sends what is ready. @returns {boolean} whether anything was */
  confirm() {
    const { ready } = this.reading;
    if (!ready || !this.game || this.sending) return false;
    this.#send(this.game, ready);
    return true;
  }

  /** @param {Game} game @param {import("./api.js").Legal} legal */
  async #send(game, { action }) {
    this.sending = true;
    this.before = game.view;
    this.#acted = Date.now();
    this.redraw();
    try {
      const played = await post(`${this.path}/actions`, { asked: game.asked, action });
      this.history.catchUp(played.number);
      await this.take(played.game);
    } catch (error) {
      if (error instanceof Problem && error.body.game) await this.take(error.body.game);
      tell(worded(error));
    }
    this.sending = false;
    this.draft = NOTHING;
    this.redraw();
    this.following.now();
  }

  /** Shows a game as an answer brought it; undefined: look again. @param {Game | undefined} game */
  async take(game) {
    if (!game) return this.following.now();
    if (this.game && game.revision < this.game.revision) return;
    if (game.status !== "open" && this.game?.status !== game.status) this.types = (await get(`/api/rulesets/${game.ruleset.slug}`)).actions;
    if (isAskedAnew(this.game, game)) this.draft = NOTHING;
    if (game.seat === null) this.before = this.game?.view ?? null;
    this.game = game;
    this.redraw();
    await this.history.upTo(game.number);
    this.redraw();
    this.next = await nextTable(game);
    this.redraw();
  }

  async #look() {
    const { data, etag } = await ask("GET", this.path, { etag: this.#etag });
    if (data) await this.take(data);
    else if (Date.now() - this.#drawn > this.#hints()) this.redraw(); // "in 5 minutes" becomes "in 4"
    this.#etag = etag;
    const eager = Date.now() - this.#acted < EAGER_FOR;
    return eager ? EAGER : Math.max(LEAST, this.game?.poll_after ?? 0);
  }

  #hints() {
    return this.game?.waiting.some(({ due }) => isSoon(due)) ? SECONDS : HINTS;
  }

  /** @param {unknown} error */
  #failed(error) {
    if (!(error instanceof Problem) || error.status !== 404) return tell(worded(error));
    this.leave();
    this.main.replaceChildren(...gone());
  }

  /** Does something that answers with the game as it is then; a problem is told. @param {() => Promise<Game | undefined>} act */
  async change(act) {
    await this.take(await attempt(act));
  }

  /** Does something that may bring problems, then shows what has changed. @param {() => Promise<any>} act */
  async attempt(act) {
    await attempt(act);
    this.redraw();
  }
}

/** @param {HTMLElement} main @param {string} id @returns {() => void} ends it */
export function table(main, id) {
  const shown = new Table(main, id);
  return () => shown.leave();
}
