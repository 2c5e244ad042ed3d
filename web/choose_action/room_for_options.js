// @ts-check
/**
 * Room for the options that the first touch may bring, so that neither hand nor table moves when they come: they stand
 * unseen in the same place, and the tallest of them sets its height.
 *
 * @typedef {import("./options.js").Choosing} Choosing
 * @typedef {import("./narrowing.js").Draft} Draft
 */

import { h } from "../base/dom.js";
import { drawChoices } from "./options.js";
import { EMPTY_DRAFT, readDraft, tapCard } from "./narrowing.js";

/** The most first touches of one kind that are looked at: places of a grid lead to the same options. */
const ALIKE = 2;

/** Options with a card in them. */
const ROOMY = ["of-card", "with-card"];

export class RoomForOptions {
  #question = "";
  /** @type {HTMLElement[]} */
  #room = [];

  /** @param {string} question  by which it is known again @param {() => Choosing[]} begun  what is chosen after each first touch */
  of(question, begun) {
    if (question !== this.#question) this.#room = distinctOptions(begun());
    this.#question = question;
    return this.#room.map(each => each.cloneNode(true));
  }
}

/** The drafts to which a first touch leads. @param {import("./table_spots.js").Pointing} pointing @param {(found: import("./table_spots.js").Pointing) => import("./table_spots.js").TableSpots} spotsOf @returns {Draft[]} */
export function firstDrafts(pointing, spotsOf) {
  const { legal, types, hand } = pointing;
  /** @type {Draft[]} */
  const found = readDraft(legal, types, EMPTY_DRAFT).step?.ways.map(({ draft }) => draft) ?? [];
  const spots = spotsOf({ ...pointing, draft: EMPTY_DRAFT, reading: readDraft(legal, types, EMPTY_DRAFT), choose: draft => found.push(draft) });
  /** @type {Record<string, number>} */
  const seen = {};
  for (const key of [...spots.choices.keys()]) {
    const kind = key.replace(/ \d+$/, "");
    seen[kind] = (seen[kind] ?? 0) + 1;
    if (seen[kind] <= ALIKE) spots.spot(key)?.tap();
  }
  return [...found, ...[...hand, ...spots.cards].flatMap(card => tapCard(legal, types, EMPTY_DRAFT, card, false) ?? [])];
}

/** Each list of options once. @param {Choosing[]} choosings */
function distinctOptions(choosings) {
  const drawn = choosings.map(choosing => standIn(drawChoices(choosing))).filter(each => each !== null);
  return drawn.filter((each, n) => drawn.findIndex(other => other.isEqualNode(each)) === n);
}

/** Of the same size, but nothing to touch. @param {Element | false | null} choices */
function standIn(choices) {
  if (!choices) return null;
  return h("div", { className: `${choices.className} room`, "aria-hidden": "true" }, [...choices.children].map(each =>
    h("span", { className: `button ${[...each.classList].filter(name => ROOMY.includes(name)).join(" ")}` }, each.textContent)));
}
