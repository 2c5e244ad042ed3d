// @ts-check
/**
 * Makes the table fit: what is asked about, the middle and one's own area are in view without scrolling.
 *
 * Where there is no room the others become strips of one line, and cards shrink, step by step. A table that has been made
 * smaller stays so, lest it jump from move to move; another size of the window begins anew.
 */

/** The steps: others as strips, news on one line and then gone, no question about mail, strips abreast, smaller and smaller cards. Each adds a class. */
const STEPS = ["fit-strips", "fit-news", "fit-unasked", "fit-small", "fit-quiet", "fit-abreast", "fit-smaller", "fit-smallest", "fit-tiny", "fit-least"];
/** Where a phone begins. */
const ON_A_PHONE = 1;

export class Fit {
  #step = 0;
  #window = "";

  /** The classes of the table as it fitted last. */
  get classes() {
    return STEPS.slice(0, this.#step).join(" ");
  }

  /** Goes on until the page needs no scrolling, or there is no further step. @param {HTMLElement} main */
  apply(main) {
    const play = /** @type {HTMLElement | null} */ (main.querySelector(".play.fits"));
    if (!play) return;
    const shown = `${innerWidth} × ${innerHeight}`;
    if (shown !== this.#window) this.#step = matchMedia("(min-width: 900px) and (min-height: 501px)").matches ? 0 : ON_A_PHONE;
    this.#window = shown;
    play.classList.remove(...STEPS);
    play.classList.add(...STEPS.slice(0, this.#step));
    while (this.#step < STEPS.length && scrolls()) play.classList.add(STEPS[this.#step++]);
  }
}

function scrolls() {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight > clientHeight;
}
