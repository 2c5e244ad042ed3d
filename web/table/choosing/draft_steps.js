// @ts-check
/**
 * The draft of an action and the steps that led to it. They are kept in this tab, so that a reload does not lose them,
 * until the question is another one.
 *
 * @typedef {import("../../base/api.js").Legal} Legal
 * @typedef {import("./narrowing.js").Draft} Draft
 * @typedef {import("./narrowing.js").Types} Types
 *
 * @typedef {object} StoredDraft  JSON knows no `undefined`: a value that an action lacks is a name alone.
 * @property {string | null} type
 * @property {[name: string, value?: any][]} values
 * @property {string[]} picked
 * @property {import("../../base/api.js").Action | null} chosen  Without its words, which may be in another language now.
 */

import { loadInTab, saveInTab } from "../../base/browser_storage.js";
import { isEqual } from "./action_parameters.js";
import { EMPTY_DRAFT, isPossible, isTouched } from "./narrowing.js";

export class DraftSteps {
  /** From the first step to the latest. @type {Draft[]} */
  #steps = [];
  /** @type {number | null} */
  #asked = null;

  /** @param {string} id of the game */
  constructor(id) {
    this.key = `draft.${id}`;
  }

  /** The draft now. */
  get now() {
    return this.#steps.at(-1) ?? EMPTY_DRAFT;
  }

  get count() {
    return this.#steps.length;
  }

  /** Another choice among whole actions replaces the one before; going back to the draft before undoes a step; the other of two equal cards is none. @param {Draft} draft */
  choose(draft) {
    const before = this.#steps.slice(0, -1);
    if (isSame(this.now, draft)) return;
    if (!isTouched(draft)) this.#set([]);
    else if (isSame(before.at(-1) ?? EMPTY_DRAFT, draft)) this.#set(before);
    else if (this.now.chosen && draft.chosen && isSame({ ...this.now, chosen: draft.chosen }, draft)) this.#set([...before, draft]);
    else this.#set([...this.#steps, draft]);
  }

  /** Takes back the last step. */
  undo() {
    this.#set(this.#steps.slice(0, -1));
  }

  startOver() {
    this.#set([]);
  }

  /** Begins with a question: with the steps that were stored for it, if all of them are possible still. @param {number | null} asked @param {Legal[]} legal @param {Types} types */
  begin(asked, legal, types) {
    const stored = JSON.parse(loadInTab(this.key) ?? "null");
    const steps = asked !== null && stored?.asked === asked ? stored.steps.map((/** @type {StoredDraft} */ each) => unpacked(each, legal, types)) : [];
    this.#asked = asked;
    this.#set(steps.includes(null) ? [] : steps);
  }

  /** @param {Draft[]} steps */
  #set(steps) {
    this.#steps = steps;
    saveInTab(this.key, steps.length ? JSON.stringify({ asked: this.#asked, steps: steps.map(packed) }) : null);
  }
}

/** @param {Draft} draft @returns {StoredDraft} */
function packed({ type, values, picked, chosen }) {
  return { type, values: Object.entries(values).map(([name, value]) => (value === undefined ? [name] : [name, value])), picked, chosen: chosen?.action ?? null };
}

/** A stored draft; null if it is impossible now. @param {StoredDraft} stored @param {Legal[]} legal @param {Types} types @returns {Draft | null} */
function unpacked({ type, values, picked, chosen }, legal, types) {
  const known = legal.find(({ action }) => isEqual(action, chosen)) ?? null;
  const draft = { type, values: Object.fromEntries(values.map(([name, value]) => [name, value])), picked, chosen: known };
  return (chosen === null || known) && isPossible(legal, types, draft) ? draft : null;
}

/** @param {Draft} one @param {Draft} other */
function isSame(one, other) {
  return isEqual(packed(one), packed(other));
}
