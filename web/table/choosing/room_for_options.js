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

import { h } from "../../base/dom.js";
import { ON_A_DESK, ON_A_PHONE, lettersOf, linesOf } from "./lines_of_buttons.js";
import { EMPTY_DRAFT, cardsInAction, readDraft, tapCard } from "./narrowing.js";
import { drawChoices } from "./options.js";

/** The most touches of one kind that are looked at: places of a grid lead to the same options. */
const ALIKE = 2;
/** How many touches ahead is looked, and at how many drafts in all after the first touch. */
const AHEAD = 3;
const MOST = 60;
/** How many sets of cards are looked at that leave a choice when all of them are picked: those that most actions name. */
const SETS = 24;
/** How many lists are drawn unseen for each width: those that are longest by their letters. */
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
    const drawn = choosings.map(choosing => standIn(drawChoices(choosing))).filter(each => each !== null);
    const lists = drawn.filter((each, n) => drawn.findIndex(other => other.isEqualNode(each)) === n);
    const [onPhone, onDesk] = [ON_A_PHONE, ON_A_DESK].map(width => tallest(lists, width));
    this.lines = Math.max(this.lines, onPhone[0] ? linesOf(wordsIn(onPhone[0]), ON_A_PHONE) : 0);
    this.#room = [...new Set([...onPhone, ...onDesk])];
  }
}

/** The lists that take most lines of this width. @param {HTMLElement[]} lists @param {number} width */
function tallest(lists, width) {
  const ranked = lists.map(list => ({ list, lines: linesOf(wordsIn(list), width), letters: lettersOf(list.textContent ?? "") }));
  ranked.sort((one, other) => other.lines - one.lines || other.letters - one.letters);
  return ranked.slice(0, TALLEST).map(({ list }) => list);
}

/** The words of each button. @param {HTMLElement} list */
function wordsIn(list) {
  return [...list.children].map(each => each.textContent ?? "");
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
  const known = new Set();
  let [level, left] = [[EMPTY_DRAFT], MOST];
  for (let touches = 0; touches <= AHEAD; touches++) {
    const choosings = level.slice(0, touches > 1 ? left : Infinity).map(draft => choosingOf(look(draft)));
    found.push(...choosings);
    if (touches > 1) left -= choosings.length;
    level = inTurns(unlike(choosings).map(({ draft }) => draftsAfter(pointing, draft, spotsOf))).filter(draft => isAnother(draft, known));
    if (touches === 0) level.push(...draftsOfSets(pointing));
  }
  return found;
}

/** Whether a draft is unlike those that are known; then it is known as well. @param {Draft} draft @param {Set<string>} known */
function isAnother({ type, values, picked, chosen }, known) {
  const key = JSON.stringify([type, Object.entries(values).sort(), [...picked].sort(), chosen?.words]);
  return !known.has(key) && known.add(key);
}

/** The first of each list, then the second ones, and so on. @template T @param {T[][]} lists @returns {T[]} */
function inTurns(lists) {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, n) => lists.flatMap(list => list.slice(n, n + 1))).flat();
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
  return [...found, ...cards.flatMap(card => tapCard(legal, types, draft, card, false, reading.left) ?? [])];
}

/** Of the same size, but nothing to touch. @param {Element | false | null} choices */
function standIn(choices) {
  if (!choices) return null;
  return h("div", { className: `${choices.className} room`, "aria-hidden": "true" }, [...choices.children].map(each =>
    h("span", { className: `button ${[...each.classList].filter(name => ROOMY.includes(name)).join(" ")}` }, each.textContent)));
}
