// @ts-check
/**
 * Room for the options that the next touches may bring, so that neither hand nor table moves when they come: they stand
 * unseen in the same place, and the tallest of them sets its height.
 *
 * @typedef {import("./options.js").Choosing} Choosing
 * @typedef {import("./narrowing.js").Draft} Draft
 * @typedef {import("./table_spots.js").Pointing} Pointing
 * @typedef {import("./table_spots.js").TableSpots} TableSpots
 */

import { h } from "../base/dom.js";
import { linesOf } from "./list_length.js";
import { EMPTY_DRAFT, cardsInAction, readDraft, tapCard } from "./narrowing.js";
import { drawChoices } from "./options.js";

/** The most touches of one kind that are looked at: places of a grid lead to the same options. */
const ALIKE = 2;
/** How many touches ahead is looked, and at how many drafts in all after the first touch. */
const AHEAD = 3;
const MOST = 30;
/** How many sets of cards are looked at that leave a choice when all of them are picked: those that most actions name. */
const SETS = 24;
/** How many lists are drawn unseen: those that are longest by their letters. */
const TALLEST = 4;

/** Options with a card in them. */
const ROOMY = ["of-card", "with-card"];

export class RoomForOptions {
  #question = "";
  /** @type {HTMLElement[]} */
  #room = [];
  /** How many lines the longest list of options takes on a phone, of all questions so far: the hand is as large at the next one. */
  lines = 0;

  /** @param {string} question  by which it is known again @param {() => Choosing[]} begun  what is chosen after each of the next touches */
  of(question, begun) {
    if (question !== this.#question) this.#prepare(begun());
    this.#question = question;
    return this.#room.map(each => each.cloneNode(true));
  }

  /** @param {Choosing[]} choosings */
  #prepare(choosings) {
    const lists = distinctOptions(choosings).map(list => ({ list, lines: linesOf([...list.children].map(each => each.textContent ?? "")) }));
    lists.sort((one, other) => other.lines - one.lines || (other.list.textContent ?? "").length - (one.list.textContent ?? "").length);
    this.lines = Math.max(this.lines, lists[0]?.lines ?? 0);
    this.#room = lists.slice(0, TALLEST).map(({ list }) => list);
  }
}

/**
 * What is chosen before any touch and after each of the next ones; of those that lead to the same options few are looked beyond.
 * @param {Pointing} pointing @param {(found: Pointing) => TableSpots} spotsOf @param {(spots: TableSpots) => Choosing} choosingOf @returns {Choosing[]}
 */
export function nextChoices(pointing, spotsOf, choosingOf) {
  /** @param {Draft} draft */
  const look = draft => spotsOf({ ...pointing, draft, reading: readDraft(pointing.legal, pointing.types, draft) });
  /** @type {Choosing[]} */
  const found = [];
  let [level, left] = [[EMPTY_DRAFT], MOST];
  for (let touches = 0; touches <= AHEAD; touches++) {
    const choosings = level.slice(0, touches > 1 ? left : Infinity).map(draft => choosingOf(look(draft)));
    found.push(...choosings);
    if (touches > 1) left -= choosings.length;
    level = unlike(choosings).flatMap(({ draft }) => draftsAfter(pointing, draft, spotsOf));
    if (touches === 0) level.push(...draftsOfSets(pointing));
  }
  return found;
}

/** The drafts in which all cards of an action are picked. @param {Pointing} pointing @returns {Draft[]} */
function draftsOfSets({ legal, types }) {
  /** @type {Map<string, {cards: string[], actions: number}>} */
  const sets = new Map();
  for (const cards of legal.map(each => cardsInAction(types, each)).filter(({ length }) => length > 1)) {
    const key = [...cards].sort().join();
    sets.set(key, { cards, actions: (sets.get(key)?.actions ?? 0) + 1 });
  }
  const most = [...sets.values()].sort((one, other) => other.actions - one.actions).slice(0, SETS);
  return most.flatMap(({ cards }) => {
    const picked = cards.reduce((/** @type {Draft | null} */ draft, card) => draft && tapCard(legal, types, draft, card, false), EMPTY_DRAFT);
    return picked ?? [];
  });
}

/** A few of those with the same options. @param {Choosing[]} choosings */
function unlike(choosings) {
  /** @type {Record<string, number>} */
  const seen = {};
  return choosings.filter(({ draft, reading: { step } }) => {
    const options = JSON.stringify([draft.type, Object.keys(draft.values), draft.picked.length, step?.about, step?.ways.map(({ words, value }) => [words, value])]);
    seen[options] = (seen[options] ?? 0) + 1;
    return !draft.chosen && seen[options] <= ALIKE;
  });
}

/** The drafts to which the next touch leads. @param {Pointing} pointing @param {Draft} draft @param {(found: Pointing) => TableSpots} spotsOf @returns {Draft[]} */
function draftsAfter(pointing, draft, spotsOf) {
  const { legal, types, hand } = pointing;
  const reading = readDraft(legal, types, draft);
  /** @type {Draft[]} */
  const found = reading.step?.ways.filter(({ card }) => !card).map(way => way.draft) ?? [];
  const spots = spotsOf({ ...pointing, draft, reading, choose: next => found.push(next) });
  /** @type {Record<string, number>} */
  const seen = {};
  for (const key of [...spots.choices.keys()]) {
    const spot = spots.spot(key);
    const kind = key.replace(/ \d+$/, "");
    if (!spot?.glows) continue;
    seen[kind] = (seen[kind] ?? 0) + 1;
    if (seen[kind] <= ALIKE) spot.tap();
  }
  const cards = [...new Set([...hand, ...spots.cards])].filter(card => !draft.picked.includes(card));
  return [...found, ...cards.flatMap(card => tapCard(legal, types, draft, card, false) ?? [])];
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
