// @ts-check
/**
 * Polling: as often as its step says while somebody looks, the less often the longer nobody does, at once on return or when
 * the line is back, slower after errors.
 */

/** The shortest pause while the page is hidden, the longest because nobody looks, and the longest after errors, in seconds. */
const HIDDEN_PAUSE = 60;
const UNWATCHED_PAUSE = 300;
const LONGEST_PAUSE = 60;
/** Seconds after the last touch, key or movement of the pointer for which somebody counts as looking; then this part of them is a pause. */
const LOOKING = 120;
const UNWATCHED_PART = 4;
/** What somebody does who looks at the page. */
const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "scroll"];

/** Runs `step` repeatedly until it is stopped. */
export class Polling {
  #timer = 0;
  #stopped = false;
  #running = false;
  /** Whether `now` was called during a run. */
  #again = false;
  /** Errors in a row; each doubles the pause. */
  #errors = 0;
  /** Whether it goes on although nobody looks: somebody is waited for, or acts at the same time as others. */
  isUrgent = false;
  /** When somebody was last seen to look, in milliseconds since 1970. */
  #looked = Date.now();

  /** @param {() => Promise<number>} step returns the seconds to wait before the next run; Infinity: until somebody returns @param {(error: unknown) => void} failed */
  constructor(step, failed) {
    this.step = step;
    this.failed = failed;
    document.addEventListener("visibilitychange", this.#shown);
    for (const sign of SIGNS) document.addEventListener(sign, this.#seen, { passive: true, capture: true });
    addEventListener("focus", this.#focused);
    addEventListener("online", this.now);
    this.now();
  }

  /** Runs at once, or once more after the run under way. */
  now = async () => {
    clearTimeout(this.#timer);
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    this.#again = false;
    const pause = await this.#run();
    this.#running = false;
    if (this.#stopped) return;
    const wait = this.#again ? 0 : Math.max(pause, this.#unwatched());
    if (wait < Infinity) this.#timer = setTimeout(this.now, wait * 1000);
  };

  stop = () => {
    this.#stopped = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#shown);
    for (const sign of SIGNS) document.removeEventListener(sign, this.#seen, { capture: true });
    removeEventListener("focus", this.#focused);
    removeEventListener("online", this.now);
  };

  /** @returns {Promise<number>} seconds to wait */
  async #run() {
    try {
      const pause = await this.step();
      this.#errors = 0;
      return pause;
    } catch (error) {
      this.#errors += 1;
      if (!this.#stopped) this.failed(error);
      return Math.min(2 ** this.#errors, LONGEST_PAUSE);
    }
  }

  /** Seconds since somebody looked. */
  #away() {
    return (Date.now() - this.#looked) / 1000;
  }

  /** The shortest pause because nobody looks, in seconds; what failed is tried again all the same. */
  #unwatched() {
    if (this.#errors || this.isUrgent) return 0;
    const away = this.#away();
    return Math.max(document.hidden ? HIDDEN_PAUSE : 0, away > LOOKING ? Math.min(away / UNWATCHED_PART, UNWATCHED_PAUSE) : 0);
  }

  #shown = () => {
    if (document.hidden) return;
    this.#looked = Date.now();
    this.now();
  };

  /** Becoming visible and focused are one return. */
  #focused = () => {
    this.#looked = Date.now();
    if (!this.#running) this.now();
  };

  #seen = () => {
    const returned = this.#away() > LOOKING;
    this.#looked = Date.now();
    if (returned) this.now();
  };
}
