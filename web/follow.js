// @ts-check
/** Repeats something: often while somebody looks, seldom while the page is hidden, at once when it is looked at again. */

const HIDDEN = 60;
const LONGEST = 60;

/**
 * Runs `step` again and again; it answers after how many seconds it is worth doing again. An error doubles the pause.
 * @param {() => Promise<number>} step @param {(error: unknown) => void} failed
 * @returns {{now: () => void, stop: () => void}}
 */
export function follow(step, failed) {
  let timer = 0;
  let stopped = false;
  let running = false;
  let again = false;
  let errors = 0;

  async function run() {
    clearTimeout(timer);
    if (running) {
      again = true;
      return;
    }
    running = true;
    again = false;
    const pause = await seconds();
    running = false;
    if (stopped) return;
    const wait = document.hidden ? Math.max(pause, HIDDEN) : pause;
    timer = setTimeout(run, again ? 0 : wait * 1000);
  }

  async function seconds() {
    try {
      const pause = await step();
      errors = 0;
      return pause;
    } catch (error) {
      errors += 1;
      if (!stopped) failed(error);
      return Math.min(2 ** errors, LONGEST);
    }
  }

  function seen() {
    if (!document.hidden) run();
  }

  document.addEventListener("visibilitychange", seen);
  run();
  return {
    now: run,
    stop() {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    },
  };
}
