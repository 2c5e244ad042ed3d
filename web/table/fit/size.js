// @ts-check
/**
 * How small the table is drawn. Where there is no room the others become strips of one line, and cards shrink, step by step;
 * then cards grow again into what room is left.
 */

import { isMagnified } from "./magnified.js";

/** The steps: others as strips, no question about mail, strips abreast, smaller cards, news on one line and then gone, smaller and smaller cards, of which at last only the upper part is seen, and no scales that repeat numbers. Each adds a class. */
const STEPS = ["fit-strips", "fit-unasked", "fit-abreast", "fit-small", "fit-news", "fit-quiet", "fit-smaller", "fit-smallest", "fit-tiny", "fit-least", "fit-upper", "fit-bare"];
/** How large cards are at least after each step, before they grow again into what room is left. */
const SCALES = [1, 1, 1, 1, 0.82, 0.82, 0.82, 0.68, 0.56, 0.46, 0.34, 0.34, 0.34];
/** The step with which a phone begins. */
const ON_A_PHONE = 1;
/** How often the room that is left is halved to find the largest cards that fit. */
const HALVINGS = 5;

export class Size {
  /** How many of the steps are taken. */
  step = 0;
  /** How large cards are. */
  scale = 1;

  /** The classes of the table. */
  get classes() {
    return STEPS.slice(0, this.step).join(" ");
  }

  /** As large as the window lets it begin. */
  enlarge() {
    [this.step, this.scale] = [firstStep(), 1];
  }

  /** Whether it has been made smaller in this window. */
  get isSmaller() {
    return this.step > firstStep() || this.scale < 1;
  }

  /** As it was in such a window before. @param {{step: number, scale: number}} stored */
  take({ step, scale }) {
    [this.step, this.scale] = [Math.min(step, STEPS.length), scale];
  }

  /** @param {HTMLElement} play */
  draw(play) {
    setSteps(play, this.step, this.scale);
  }

  /**
   * Takes the first step after which nothing scrolls, or the last one: halving what is left costs fewer layouts than trying one by one.
   * @param {HTMLElement} play @returns {boolean} whether that is another step
   */
  shrink(play) {
    let [from, to] = [this.step, STEPS.length];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      setSteps(play, middle);
      if (scrolls()) from = middle + 1;
      else to = middle;
    }
    const isAnother = to > this.step;
    this.step = to;
    setSteps(play, to);
    return isAnother;
  }

  /** Makes cards as large as the room that is left allows. @param {HTMLElement} play */
  grow(play) {
    let [fitting, most] = [SCALES[this.step], 1];
    for (let n = 0; n < HALVINGS && fitting < most; n++) {
      const tried = (fitting + most) / 2;
      resize(play, tried);
      if (scrolls()) most = tried;
      else fitting = tried;
    }
    this.scale = fitting;
    resize(play, fitting);
  }
}

/** Whether the page is higher than the window. */
export function scrolls() {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight > clientHeight;
}

/** Whether there is room for the side panel beside the table. */
export function isBesideTable() {
  return matchMedia("(min-width: 900px) and (min-height: 501px)").matches && !isMagnified();
}

function firstStep() {
  return isBesideTable() ? 0 : ON_A_PHONE;
}

/** All classes and the size at once: each change after something was measured costs another layout. @param {HTMLElement} play @param {number} steps @param {number} [scale] */
function setSteps(play, steps, scale = SCALES[steps]) {
  STEPS.forEach((step, n) => play.classList.toggle(step, n < steps));
  resize(play, scale);
}

/** @param {HTMLElement} play @param {number} scale */
function resize(play, scale) {
  play.style.setProperty("--fit", String(scale));
}
