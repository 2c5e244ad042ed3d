// @ts-check
/**
 * Makes the table fit: what is asked about, the middle and one's own area are in view without scrolling.
 *
 * A table that has been made smaller (size.js) stays so, lest it jump from move to move, and when it is opened again, lest it
 * be measured anew; another size of the window begins anew, and so does a question that would leave much of it empty, and
 * whatever the user opens or closes. While somebody chooses, its parts stay as high as they were (steady_parts.js).
 */

import { load, save } from "../../base/browser_storage.js";
import { t } from "../../base/words.js";
import { noteMagnified } from "./magnified.js";
import { Size, scrolls } from "./size.js";
import { SteadyParts } from "./steady_parts.js";

/** How much of the window is left empty at most at a table that has been made smaller. */
const EMPTY = 0.12;

export class Fit {
  #size = new Size();
  #steady = new SteadyParts();
  /** The window in which it was drawn last; "" if it may be large again. */
  #window = "";
  /** Whether something was opened or closed since. */
  #isReleased = false;
  /** The question, and how high the panel was at most since it was asked: options that come and go do not move the table. @type {number | null} */
  #asked = null;
  #panel = 0;
  #key;
  /** How the table fits, and in which window, as this browser keeps it: JSON. */
  #kept;
  /** How it fitted when it was open last; null as soon as it has been drawn. @type {{window: string, step: number, scale: number} | null} */
  #stored;

  /** @param {string} id of the game */
  constructor(id) {
    this.#key = `fit.${id}`;
    this.#kept = load(this.#key);
    this.#stored = JSON.parse(this.#kept ?? "null");
  }

  /** The classes of the table as it fitted last. */
  get classes() {
    return this.#size.classes;
  }

  /** There is more room than there was: the table may be large again. */
  beginAnew() {
    this.#window = "";
  }

  /** Something was opened or closed by hand: parts are as high as they have to be, and cards as large as they can be. */
  release() {
    this.#steady.forget();
    this.#isReleased = true;
  }

  /** Goes on until the page needs no scrolling, or there is no further step. @param {HTMLElement} main @param {number | null} [asked]  the question @param {boolean} [begun]  whether part of an answer has been chosen */
  apply(main, asked = this.#asked, begun = false) {
    this.#fit(main, asked, begun);
    countCut(main);
  }

  /** @param {HTMLElement} main @param {number | null} asked @param {boolean} begun */
  #fit(main, asked, begun) {
    const play = /** @type {HTMLElement | null} */ (main.querySelector(".play.fits"));
    const isMagnified = noteMagnified(); // earlier tables, and those that are over, are shown so too
    if (!play) {
      if (main.querySelector(".play.over")) save(this.#key, null);
      return;
    }
    if (isMagnified) {
      this.#showLarge(play);
      return;
    }
    const shown = `${innerWidth} × ${innerHeight}`;
    const [other, isNew] = [shown !== this.#window, asked !== this.#asked];
    const stored = this.#stored?.window === shown ? this.#stored : null;
    this.#stored = null;
    if (stored) this.#size.take(stored);
    else if (other || this.#isReleased) this.#size.enlarge();
    this.#isReleased = false;
    if (other || isNew) {
      this.#panel = 0;
      this.#steady.forget();
    }
    [this.#window, this.#asked] = [shown, asked];
    if (begun) this.#steady.hold(play);
    this.#shrink(play);
    if ((stored || !other) && isNew && asked !== null && this.#size.isSmaller && emptyRoom(play) >= EMPTY * innerHeight) {
      this.#size.enlarge();
      this.#shrink(play);
    }
    if (!begun) this.#steady.remember(play);
    else if (!this.#steady.squeeze(play, this.#size.scale)) this.#shrink(play);
    letTold(play);
    this.#store(shown);
  }

  /** As large as it was asked to be: the page scrolls. @param {HTMLElement} play */
  #showLarge(play) {
    this.#window = "";
    this.#steady.forget();
    this.#size.enlarge();
    this.#size.draw(play);
    /** @type {HTMLElement | null} */ (play.querySelector(".bottom-panel"))?.style.removeProperty("min-block-size");
  }

  /** @param {string} shown  the window */
  #store(shown) {
    const now = JSON.stringify({ window: shown, step: this.#size.step, scale: this.#size.scale });
    if (now !== this.#kept) save(this.#key, now);
    this.#kept = now;
  }

  /** @param {HTMLElement} play */
  #shrink(play) {
    this.#size.draw(play);
    const panel = /** @type {HTMLElement | null} */ (play.querySelector(".bottom-panel"));
    if (panel) this.#keepHeight(panel);
    if (!scrolls()) return;
    this.#steady.letGo(play);
    const isSmaller = this.#size.shrink(play);
    if (panel && isSmaller) {
      this.#panel = 0; // what it was before its parts became smaller says nothing now
      this.#keepHeight(panel);
    }
    this.#size.grow(play);
  }

  /** @param {HTMLElement} panel */
  #keepHeight(panel) {
    panel.style.minBlockSize = "";
    const { height } = panel.getBoundingClientRect(); // a rounded one may be too high
    this.#panel = Math.max(this.#panel, height);
    if (this.#panel > height) panel.style.minBlockSize = `${this.#panel}px`;
  }
}

/** What is told of a moment gets what room is left, before it has to be scrolled. @param {HTMLElement} play */
function letTold(play) {
  const told = /** @type {HTMLElement | null} */ (play.querySelector(".happened > .told"));
  if (!told) return;
  told.style.removeProperty("max-block-size");
  const [bar, panel] = [told.parentElement, play.querySelector(".bottom-panel")];
  const gap = parseFloat(getComputedStyle(play).rowGap);
  const room = panel && isBeside(panel) ? (bar?.getBoundingClientRect().top ?? 0) - (bar?.previousElementSibling?.getBoundingClientRect().bottom ?? 0) : emptyRoom(play) - gap;
  if (room > 0 && told.scrollHeight > told.clientHeight) told.style.maxBlockSize = `${told.clientHeight + Math.floor(room)}px`;
}

/** Says how many sentences of a moment are not in view, if any: the history tells them. @param {HTMLElement} main */
function countCut(main) {
  const told = main.querySelector(".happened > .told");
  const button = /** @type {HTMLElement | null} */ (main.querySelector("#cut"));
  if (!told || !button) return;
  const end = told.getBoundingClientRect().bottom + 1;
  const n = [...told.children].filter(each => each.getBoundingClientRect().bottom > end).length;
  button.hidden = n === 0;
  button.textContent = n ? t("moment.cut", { n }) : "";
}

/** How many pixels are empty beneath the table. @param {HTMLElement} play */
function emptyRoom(play) {
  const panel = play.querySelector(".bottom-panel");
  const { top = innerHeight } = panel?.getBoundingClientRect() ?? {};
  const last = panel ? panel.previousElementSibling : play.lastElementChild;
  return (panel && isBeside(panel) ? innerHeight : top) - (last?.getBoundingClientRect().bottom ?? 0);
}

/** Whether the panel stands beside the table, as on a phone on its side. @param {Element} panel */
function isBeside(panel) {
  const { left, top } = panel.getBoundingClientRect();
  return left > 0 && top <= 0;
}
