// @ts-check
/**
 * Makes the table fit: what is asked about, the middle and one's own area are in view without scrolling.
 *
 * Where there is no room the others become strips of one line, and cards shrink, step by step. A table that has been made
 * smaller stays so, lest it jump from move to move; another size of the window begins anew, and so does a question that
 * would leave much of it empty.
 */

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
    if (!play) return;
    const shown = `${innerWidth} × ${innerHeight}`;
    const [other, isNew] = [shown !== this.#window, asked !== this.#asked];
    if (other) this.#enlarge();
    if (other || isNew) {
      this.#panel = 0;
      this.#steady.forget();
    }
    [this.#window, this.#asked] = [shown, asked];
    if (begun) this.#steady.hold(play);
    this.#shrink(play);
    if (!other && isNew && asked !== null && this.#isSmaller() && emptyRoom(play) >= EMPTY * innerHeight) {
      this.#enlarge();
      this.#shrink(play);
    }
    if (!begun) this.#steady.remember(play);
    else if (!this.#steady.squeeze(play, this.#scale)) this.#shrink(play);
  }

  #enlarge() {
    [this.#step, this.#scale] = [firstStep(), 1];
  }

  #isSmaller() {
    return this.#step > firstStep() || this.#scale < 1;
  }

  /** @param {HTMLElement} play */
  #shrink(play) {
    STEPS.forEach((step, n) => play.classList.toggle(step, n < this.#step));
    resize(play, this.#scale); // before anything is measured: each change after that costs another layout
    const panel = /** @type {HTMLElement | null} */ (play.querySelector(".bottom-panel"));
    if (panel) this.#keepHeight(panel);
    if (!scrolls()) return;
    const before = this.#step;
    this.#steady.letGo(play);
    resize(play, SCALES[this.#step]);
    while (this.#step < STEPS.length && scrolls()) {
      play.classList.add(STEPS[this.#step++]);
      resize(play, SCALES[this.#step]);
    }
    if (panel && this.#step > before) this.#measureAnew(panel);
    this.#grow(play);
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
