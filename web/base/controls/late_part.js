// @ts-check
/** Parts of the page that most visits do not show: what draws them is loaded when they are shown or asked for. */

import { Problem, loadModule } from "../api.js";
import { h } from "../dom.js";
import { Polling } from "../polling.js";
import { t } from "../words.js";
import { announce } from "./live_region.js";
import { attempt } from "./toasts.js";

/** A part of a screen. Until it has come it is tried again and again, and in its place stands why. @template {any[]} Given what it is drawn from */
export class LatePart {
  /** @type {((...given: Given) => any) | null} */
  #draw = null;
  /** Whether it has its place on the screen already. */
  #isShown = false;
  #hasFailed = false;
  /** @type {Polling | null} */
  #coming = null;
  #tried = () => {};
  #firstTry = new Promise(resolve => { this.#tried = () => resolve(undefined); });

  /** @param {(...given: Given) => Promise<(...given: Given) => any>} load  returns what draws it @param {() => void} redraw */
  constructor(load, redraw) {
    this.load = load;
    this.redraw = redraw;
  }

  /** Lets it come; returns when it has, or when the first attempt has failed. @param {Given} given  what it is to be drawn from */
  come(...given) {
    const screen = document.getElementById("main");
    this.#coming ??= new Polling(() => (screen?.isConnected ? this.#arrive(given) : this.#leave()), error => this.#fail(error));
    return this.#firstTry;
  }

  /** Null until it has come. @param {Given} given */
  draw(...given) {
    this.#isShown = true;
    this.come(...given);
    if (this.#draw) return this.#draw(...given);
    return this.#hasFailed ? drawFailed(() => this.#coming?.now()) : null;
  }

  /** @param {Given} given */
  async #arrive(given) {
    this.#draw = await loadModule(this.load(...given));
    this.#tried();
    if (this.#isShown) this.redraw();
    return this.#leave();
  }

  #leave() {
    this.#coming?.stop();
    return Infinity;
  }

  /** @param {unknown} error */
  #fail(error) {
    if (!(error instanceof Problem)) reportError(error); // it is a mistake of ours, and the table is of use without it
    this.#hasFailed = true;
    this.#tried();
    if (!this.#isShown) return;
    this.redraw();
    announce(t("late.failed"));
  }
}

/** What stands in place of something that has not come. @param {() => unknown} again */
export function drawFailed(again) {
  return h("div", { className: "sheet", key: "late" },
    h("p", {}, t("late.failed")),
    h("div", { className: "buttons" }, h("button", { type: "button", id: "late-again", onclick: again }, t("late.again"))));
}

/** The dialog that was asked for last. */
let asked = {};

/**
 * Opens what has to be loaded first, once: the last that was asked for, where it was asked for. A problem is shown as a toast.
 * @template T @param {() => Promise<T>} load @param {(loaded: T) => unknown} open
 */
export function openLate(load, open) {
  const [mine, screen] = [asked = {}, document.getElementById("main")];
  return attempt(async () => {
    const loaded = await loadModule(load());
    if (mine === asked && screen?.isConnected && !document.querySelector("dialog[open]")) await open(loaded);
  });
}
