// @ts-check
/**
 * Makes the table fit: what is asked about, the middle and one's own area are in view without scrolling.
 *
 * Where there is no room the others become strips of one line, and cards shrink, step by step. A table that has been made
 * smaller stays so, lest it jump from move to move, and when it is opened again, lest it be measured anew; another size of
 * the window begins anew, and so does a question that would leave much of it empty.
 */

import { load, save } from "../../base/browser_storage.js";
import { SteadyParts } from "./steady_parts.js";

/** The steps: others as strips, no question about mail, strips abreast, smaller cards, news on one line and then gone, smaller and smaller cards. Each adds a class. */
const STEPS = ["fit-strips", "fit-unasked", "fit-abreast", "fit-small", "fit-news", "fit-quiet", "fit-smaller", "fit-smallest", "fit-tiny", "fit-least"];
/** How large cards are at least after each step, before they grow again into what room is left. */
const SCALES = [1, 1, 1, 1, 0.82, 0.82, 0.82, 0.68, 0.56, 0.46, 0.34];
/** Where a phone begins. */
const ON_A_PHONE = 1;
/** How much of the window is left empty at most at a table that has been made smaller. */
const EMPTY = 0.12;
/** How often the room that is left is halved to find the largest cards that fit. */
const HALVINGS = 5;

export class Fit {
  #step = 0;
  /** How large cards are. */
  #scale = 1;
  #window = "";
  /** The question, and how high the panel was at most since it was asked: options that come and go do not move the table. @type {number | null} */
  #asked = null;
  #panel = 0;
  #steady = new SteadyParts();
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
    return STEPS.slice(0, this.#step).join(" ");
  }

  /** There is more room than there was: the table may be large again. */
  beginAnew() {
    this.#window = "";
  }

  /** Something was opened or closed by hand: parts are as high as they have to be. */
  release() {
    this.#steady.forget();
  }

  /** Goes on until the page needs no scrolling, or there is no further step. @param {HTMLElement} main @param {number | null} [asked]  the question @param {boolean} [begun]  whether part of an answer has been chosen */
  apply(main, asked = this.#asked, begun = false) {
    const play = /** @type {HTMLElement | null} */ (main.querySelector(".play.fits"));
    if (!play) {
      if (main.querySelector(".play.over")) save(this.#key, null);
      return;
    }
    const shown = `${innerWidth} × ${innerHeight}`;
    const [other, isNew] = [shown !== this.#window, asked !== this.#asked];
    const again = this.#takeStored(shown);
    if (other && !again) this.#enlarge();
    if (other || isNew) {
      this.#panel = 0;
      this.#steady.forget();
    }
    [this.#window, this.#asked] = [shown, asked];
    if (begun) this.#steady.hold(play);
    this.#shrink(play);
    if ((again || !other) && isNew && asked !== null && this.#isSmaller() && emptyRoom(play) >= EMPTY * innerHeight) {
      this.#enlarge();
      this.#shrink(play);
    }
    if (!begun) this.#steady.remember(play);
    else if (!this.#steady.squeeze(play, this.#scale)) this.#shrink(play);
    this.#store(shown);
  }

  /** Begins as the table fitted when it was open last. @param {string} shown  the window @returns {boolean} whether it was open in such a window */
  #takeStored(shown) {
    const stored = this.#stored;
    this.#stored = null;
    if (stored?.window !== shown) return false;
    [this.#step, this.#scale] = [Math.min(stored.step, STEPS.length), stored.scale];
    return true;
  }

  /** @param {string} shown */
  #store(shown) {
    const now = JSON.stringify({ window: shown, step: this.#step, scale: this.#scale });
    if (now !== this.#kept) save(this.#key, now);
    this.#kept = now;
  }

  #enlarge() {
    [this.#step, this.#scale] = [firstStep(), 1];
  }

  #isSmaller() {
    return this.#step > firstStep() || this.#scale < 1;
  }

  /** @param {HTMLElement} play */
  #shrink(play) {
    setSteps(play, this.#step, this.#scale);
    const panel = /** @type {HTMLElement | null} */ (play.querySelector(".bottom-panel"));
    if (panel) this.#keepHeight(panel);
    if (!scrolls()) return;
    const before = this.#step;
    this.#steady.letGo(play);
    this.#goOn(play);
    if (panel && this.#step > before) this.#measureAnew(panel);
    this.#grow(play);
  }

  /** Takes the first step after which nothing scrolls, or the last one: halving what is left costs fewer layouts than trying one by one. @param {HTMLElement} play */
  #goOn(play) {
    let [from, to] = [this.#step, STEPS.length];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      setSteps(play, middle);
      if (scrolls()) from = middle + 1;
      else to = middle;
    }
    this.#step = to;
    setSteps(play, to);
  }

  /** @param {HTMLElement} panel */
  #keepHeight(panel) {
    panel.style.minBlockSize = "";
    const { height } = panel.getBoundingClientRect(); // a rounded one may be too high
    this.#panel = Math.max(this.#panel, height);
    if (this.#panel > height) panel.style.minBlockSize = `${this.#panel}px`;
  }

  /** What it was before its parts became smaller says nothing now. @param {HTMLElement} panel */
  #measureAnew(panel) {
    this.#panel = 0;
    this.#keepHeight(panel);
  }

  /** Makes cards as large as the room that is left allows. @param {HTMLElement} play */
  #grow(play) {
    let [fitting, most] = [SCALES[this.#step], 1];
    for (let n = 0; n < HALVINGS && fitting < most; n++) {
      const tried = (fitting + most) / 2;
      resize(play, tried);
      if (scrolls()) most = tried;
      else fitting = tried;
    }
    this.#scale = fitting;
    resize(play, fitting);
  }
}

/** All classes and the size at once: each change after something was measured costs another layout. @param {HTMLElement} play @param {number} steps @param {number} scale */
function setSteps(play, steps, scale = SCALES[steps]) {
  STEPS.forEach((step, n) => play.classList.toggle(step, n < steps));
  resize(play, scale);
}

/** @param {HTMLElement} play @param {number} scale */
function resize(play, scale) {
  play.style.setProperty("--fit", String(scale));
}

function scrolls() {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight > clientHeight;
}

function firstStep() {
  return matchMedia("(min-width: 900px) and (min-height: 501px)").matches ? 0 : ON_A_PHONE;
}

/** How many pixels are empty beneath the table. @param {HTMLElement} play */
function emptyRoom(play) {
  const panel = play.querySelector(".bottom-panel");
  const { left = 0, top = innerHeight } = panel?.getBoundingClientRect() ?? {};
  const beside = left > 0 && top <= 0;
  const last = panel ? panel.previousElementSibling : play.lastElementChild;
  return (beside ? innerHeight : top) - (last?.getBoundingClientRect().bottom ?? 0);
}
