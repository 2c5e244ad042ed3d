// @ts-check
/**
 * The side panel, on a phone a drawer over the table: which of history, talk, time and rules is shown.
 *
 * @typedef {import("../../base/api.js").Game} Game
 */

import { fetchRules, showSection } from "../../rules_page/rules.js";
import { isBesideTable } from "../fit/size.js";

const TABS = ["history", "talk", "time", "rules"];
/** Before the start there is no history and no clock. */
const TABS_BEFORE_START = ["talk", "rules"];
/** In a lesson and a daily deal there is nobody to talk to, and nothing to agree upon. */
const TABS_OF_LESSON = ["history", "rules"];

/** The tabs of a table, in order. @param {Game} game */
export function tabsOf(game) {
  if (game.lesson || game.deal) return TABS_OF_LESSON;
  return game.status === "open" ? TABS_BEFORE_START : TABS;
}

export class Panel {
  /** The drawer that is open on a phone; "" for none. */
  drawer;
  /** The tab that is shown on a wide screen, and in the drawer. */
  tab;
  /** The rules of the version by which the game is played, once somebody has looked at them. @type {Node | null} */
  rules = null;

  /** @param {import("./table.js").Table} table @param {string} drawer */
  constructor(table, drawer) {
    this.table = table;
    this.drawer = drawer;
    this.tab = drawer || TABS[0];
  }

  /** The tab that is shown. @param {Game} game */
  shown(game) {
    const tabs = tabsOf(game);
    return tabs.includes(this.tab) ? this.tab : tabs[0];
  }

  /** @param {string} drawer "" closes */
  open(drawer) {
    const was = this.drawer;
    this.drawer = drawer;
    this.tab = drawer || this.tab;
    this.table.drawing.drawer(this.table);
    if (this.tab === "talk") this.table.talk.pollNow();
    const control = /** @type {HTMLElement | null} */ (document.querySelector(drawer ? ".side-panel .tab[aria-pressed=true]" : `.tools [data-drawer=${was}]`));
    if (control?.checkVisibility()) control.focus(); // a wide screen has no drawers
    this.showPhase();
    this.table.happened.look();
  }

  /** Whether it lies over the table. */
  get covers() {
    return this.drawer !== "" && !isBesideTable();
  }

  /** Closes the drawer if one is open. */
  close() {
    if (this.drawer) this.open("");
  }

  /** Whether somebody sees the talk. */
  isTalkSeen() {
    const { game } = this.table;
    const drawn = document.querySelector(".side-panel")?.checkVisibility() ?? false;
    return !document.hidden && drawn && game !== null && this.shown(game) === "talk";
  }

  /** Loads the rules, and shows what they say of the present phase. @param {Game} game */
  loadRules({ ruleset: { slug, version } }) {
    const awaited = this.rules = document.createDocumentFragment();
    this.table.attempt(async () => {
      const text = await fetchRules(slug, version);
      if (this.rules === awaited) this.rules = text;
    }).then(() => this.showPhase());
  }

  /** Shows what the rules say of the present phase, if they are shown. */
  showPhase() {
    const view = this.table.game?.view;
    if (this.tab === "rules" && view) showSection(view.phase);
  }
}
