// @ts-check
/** The seats of others that the user has opened where they are strips of one line. */

/** All are open: what a deal is scored for is seen of everybody, whatever the user has folded. @type {Pick<Strips, "has" | "toggle">} */
export const ALL_OPEN = { has: () => true, toggle: () => {} };

export class Strips {
  /** @type {Set<number>} */
  #seats = new Set();

  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
  }

  /** @param {number} seat */
  has(seat) {
    return this.#seats.has(seat);
  }

  /** @param {number} seat */
  toggle(seat) {
    if (!this.#seats.delete(seat)) this.#seats.add(seat);
    this.redraw();
  }
}
