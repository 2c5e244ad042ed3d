// @ts-check
/** Polling: slower while the page is hidden, at once when it is shown again or the line is back, slower after errors. */

/** The shortest pause while the page is hidden, and the longest after errors, in seconds. */
const HIDDEN_PAUSE = 60;
const LONGEST_PAUSE = 60;

/** Runs `step` repeatedly until it is stopped. */
export class Polling {
  #timer = 0;
  #stopped = false;
  #running = false;
  /** Whether `now` was called during a run. */
  #again = false;
  /** Errors in a row; each doubles the pause. */
  #errors = 0;

  /** @param {() => Promise<number>} step returns the seconds to wait before the next run @param {(error: unknown) => void} failed */
  constructor(step, failed) {
    this.step = step;
    this.failed = failed;
    document.addEventListener("visibilitychange", this.#shown);
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
    const wait = document.hidden ? Math.max(pause, HIDDEN_PAUSE) : pause;
    this.#timer = setTimeout(this.now, this.#again ? 0 : wait * 1000);
  };

  stop = () => {
    this.#stopped = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#shown);
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

  #shown = () => {
    if (!document.hidden) this.now();
  };
}
