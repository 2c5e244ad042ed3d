// @ts-check
/** A part of the screen that most visits to a table do not show: what draws it is loaded when it is shown. */

import { attempt } from "../../base/controls/toasts.js";

/** @template {any[]} Given what it is drawn from */
export class LatePart {
  /** @type {((...given: Given) => any) | null} */
  #draw = null;
  #loading = false;

  /** @param {() => Promise<(...given: Given) => any>} load  returns what draws it @param {() => void} redraw */
  constructor(load, redraw) {
    this.load = load;
    this.redraw = redraw;
  }

  /** Nothing until it has come. @param {Given} given */
  draw(...given) {
    if (!this.#draw && !this.#loading) this.#load();
    return this.#draw?.(...given) ?? null;
  }

  /** Where that fails, the next drawing tries again. */
  async #load() {
    this.#loading = true;
    this.#draw = (await attempt(this.load)) ?? null;
    this.#loading = false;
    if (this.#draw) this.redraw();
  }
}
