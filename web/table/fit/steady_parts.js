// @ts-check
/** Keeps the parts of the table as high as they were while somebody chooses: what an action would change has to fit in there. */

/** The parts, and how much of a frame may stand out of them: pixels. */
const PARTS = [".others", ".middle", ".seat.mine"];
const FRAME = 4;
/** What makes the content of a part smaller, more and more: smaller facts, then smaller cards as well. */
const SQUEEZES = [1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.62];

export class SteadyParts {
  /** How high each part was before anything was chosen, by its selector: pixels. @type {Record<string, number>} */
  #heights = {};

  forget() {
    this.#heights = {};
  }

  /** Nothing is chosen: as high as the parts are now they stay. @param {HTMLElement} play */
  remember(play) {
    this.#heights = Object.fromEntries(partsOf(play).map(([selector, part]) => [selector, part.getBoundingClientRect().height]));
  }

  /** Gives the parts their heights; what is in them may be squeezed yet. @param {HTMLElement} play */
  hold(play) {
    for (const [part, height] of this.#known(play)) Object.assign(part.style, { blockSize: `${height}px`, overflow: "clip" });
  }

  /** The parts are as high as they have to be. @param {HTMLElement} play */
  letGo(play) {
    this.forget();
    for (const [, part] of partsOf(play)) Object.assign(part.style, { blockSize: "", overflow: "" });
  }

  /** Makes what is in the parts smaller until it fits. @param {HTMLElement} play @param {number} scale of cards @returns {boolean} whether all of it does */
  squeeze(play, scale) {
    return this.#known(play).every(([part, height]) => squeeze(part, height, scale));
  }

  /** The parts that were there before anything was chosen, and how high they were. @param {HTMLElement} play @returns {[HTMLElement, number][]} */
  #known(play) {
    return partsOf(play).flatMap(([selector, part]) => (selector in this.#heights ? [/** @type {[HTMLElement, number]} */ ([part, this.#heights[selector]])] : []));
  }
}

/** @param {HTMLElement} play @returns {[string, HTMLElement][]} */
function partsOf(play) {
  return PARTS.flatMap(selector => [...play.querySelectorAll(selector)].map(part => /** @type {[string, HTMLElement]} */ ([selector, part])));
}

/** What does not fit at all makes the part higher; where nothing can become smaller, that would lie under the panel, and is cut off. @param {HTMLElement} part @param {number} height @param {number} scale @returns {boolean} whether it fits */
function squeeze(part, height, scale) {
  Object.assign(part.style, { blockSize: `${height}px`, overflow: "" });
  for (const squeezed of SQUEEZES) {
    if (part.scrollHeight <= part.clientHeight + FRAME) return true;
    part.classList.add("squeezed");
    if (squeezed < 1) part.style.setProperty("--fit", String(scale * squeezed));
  }
  if (part.scrollHeight <= part.clientHeight + FRAME) return true;
  if (part.closest(".fit-upper")) part.style.overflow = "clip";
  else part.style.blockSize = "";
  return part.style.blockSize !== "";
}
