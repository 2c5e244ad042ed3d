// @ts-check
/**
 * A table, for any ruleset: the service lists the legal actions, the page offers them. Here is what the page knows of a table,
 * field by field. The screen (../screen/) only reads it; it is changed by answers of the service (answers.js, connection.js)
 * and by what the user does (own_action.js, panel.js).
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {object} Drawing  How the screen is drawn, which lies above all this.
 * @property {(table: Table) => void} screen
 * @property {(table: Table) => void} drawer  Only the side panel.
 */

import { Problem } from "../../base/api.js";
import { LatePart } from "../../base/controls/late_part.js";
import { announce } from "../../base/controls/live_region.js";
import { attempt, problemText, showToast } from "../../base/controls/toasts.js";
import { t } from "../../base/words.js";
import { Talk } from "../../talk/talk.js";
import { SeenGame } from "../../verify/seen_game.js";
import { Verification } from "../../verify/verification.js";
import { Fit } from "../fit/fit.js";
import { Strips } from "../fit/strips.js";
import { Happened, isCovered } from "../replay/happened.js";
import { Replay } from "../replay/replay.js";
import { Scores } from "../scores/scores.js";
import { Answers } from "./answers.js";
import { Connection } from "./connection.js";
import { History } from "./history.js";
import { LastKnown } from "./last_known.js";
import { LastLook } from "./last_look.js";
import { OwnAction } from "./own_action.js";
import { Panel } from "./panel.js";
import { pauseAt } from "./pauses.js";

/** One table on the screen. */
export class Table {
  /** The game as it is shown; null until it has come. @type {Game | null} */
  game = null;
  /** The actions of the version by which it is played. @type {import("../choosing/narrowing.js").Types} */
  types = {};
  /** The shapes of parts of the table. @type {import("../../base/api.js").Area[]} */
  layout = [];
  /** What the game is about. */
  summary = "";
  /** What a house player thinks of the user's decisions, once that was asked for. @type {{draw: () => any} | null} */
  analysis = null;
  /** Whether something has happened at the table since it was drawn. */
  hasMoved = false;
  /** When it was drawn, in milliseconds since 1970. */
  drawnAt = 0;
  /** Another table that waits for the user. @type {import("../../base/api.js").Summary | null} */
  nextTable = null;
  /** What ends with this table. @type {(() => void)[]} */
  #ends = [];
  #stopped = false;

  /**
   * @param {HTMLElement} main @param {string} id @param {Drawing} drawing
   * @param {() => HTMLElement[]} browserSettings  controls for language and theme
   * @param {number | null} at  the event after which the table is shown first; null: the present
   * @param {string} panel the tab of the side panel that is open; "" for none
   */
  constructor(main, id, drawing, browserSettings, at, panel) {
    const redraw = () => this.redraw();
    this.main = main;
    this.drawing = drawing;
    this.browserSettings = browserSettings;
    /** Of the game in the API. */
    this.path = `/api/games/${id}`;

    /** The user's action, from the first touch to its answer. */
    this.action = new OwnAction(this, id);
    /** The side panel: the tab that is shown, and whether it is open as a drawer. */
    this.panel = new Panel(this, panel);
    /** The earlier table that is shown instead of the present one, if any. */
    this.replay = new Replay(id, redraw, error => this.tell(error), () => this.answers.showLeftOut());
    /** What has happened, and is shown before the present table. */
    this.happened = new Happened(this.path, {
      redraw: () => {
        this.hasMoved = true;
        this.redraw();
      },
      isSeen: () => !document.hidden && !this.panel.covers && !isCovered(),
      saw: number => this.lastLook.saw(number),
    });
    /** The seats of others that are open where they are strips. */
    this.opened = new Strips(() => {
      this.fit.release();
      this.redraw();
      this.happened.look(); // somebody reads
    });
    /** How small the table is drawn to fit the window. */
    this.fit = new Fit(id);

    /** What the user had seen when acting last: what has changed since is marked. */
    this.lastLook = new LastLook(id);
    this.history = new History(id, this.lastLook, () => this.replay.forget());
    /** @type {LatePart<[Game]>} */
    this.timePanel = new LatePart(async () => (await import("../../time/time_panel.js")).timePanel(this), redraw);
    this.talk = new Talk(this.path, () => this.panel.isTalkSeen(), () => pauseAt(this.game, Date.now()), redraw);

    /** Before the start: the seats, and the ways to fill them. @type {LatePart<[Game]>} */
    this.waitingRoom = new LatePart(async game => (await import("../../lobby/waiting_room/waiting_room.js")).waitingRoom(this, game), redraw);
    /** Once the game is over: how the scores came about, and whether the record fits what this browser was shown. */
    this.scores = new Scores(id, redraw);
    this.seen = new SeenGame(id);
    this.verification = new Verification(id, this.seen, redraw);

    /** As of when the table is shown without a connection. */
    this.lastKnown = new LastKnown(id);
    this.answers = new Answers(this, at);
    this.connection = new Connection(this); // begins at once
  }

  /** Calls them when the table is left or gone. @param {(() => void)[]} ends */
  whenStopped(...ends) {
    this.#ends = ends;
  }

  stop() {
    this.#stopped = true;
    announce("");
    this.talk.stop();
    this.replay.pause();
    this.happened.stop();
    this.answers.stop();
    this.connection.stop();
    this.action.foresight.stop();
    this.action.whyNot.drop();
    for (const end of this.#ends) end();
  }

  redraw() {
    this.drawnAt = Date.now();
    if (this.replay.at !== null) this.happened.forget(); // whoever looks back sees it there
    if (!this.#stopped) this.drawing.screen(this);
  }

  /** Shows the table after an earlier event; an open drawer would cover it. @param {number} number */
  lookBack(number) {
    this.panel.close();
    if (this.game) this.replay.show(this.game, number);
  }

  /** What belongs to a table, though not to a first look at it: from now on it is there without a connection too. @param {Game} game */
  bringRest(game) {
    this.timePanel.come(game);
    this.waitingRoom.come(game);
  }

  /** Closes the drawer if one is open, else an earlier table, else passes over what has happened, else takes back all steps of the action. */
  startOver() {
    if (this.panel.drawer) this.panel.open("");
    else if (!this.replay.close() && !this.happened.skip()) this.action.startOver();
  }

  /** Runs a request that answers with the game, and shows it; a problem is shown as a toast. @param {() => Promise<Game | undefined>} act */
  async change(act) {
    await this.answers.show(await attempt(act));
  }

  /** Runs a request and redraws; a problem is shown as a toast. @param {() => Promise<any>} act */
  async attempt(act) {
    await attempt(act);
    this.redraw();
  }

  /** Says what went wrong and, without a connection, that the draft is still there. @param {unknown} error */
  tell(error) {
    const kept = error instanceof Problem && error.slug === "offline" && this.action.steps.count > 0;
    showToast(kept ? t("offline.draft") : problemText(error));
  }
}
