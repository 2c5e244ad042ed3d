// @ts-check
/**
 * What the action that is ready will change, as far as the service knows it for certain: shown where it will change, as
 * "9 → 18", and in the confirm bar. Without an answer nothing is shown, and nothing waits for one.
 *
 * @typedef {import("../../base/api.js").Fact} Fact
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").Legal} Legal
 * @typedef {import("../../base/api.js").View} View
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {{before: Fact | null, after: Fact | null}} Change  Of a fact.
 * @typedef {{zones: {before: Zone | null, after: Zone | null}[], facts: Change[]}} Foreseen
 */

import { Problem, request } from "../../base/api.js";
import { cardCode, cardMarks } from "../../cards/card.js";
import { zoneKey } from "../../cards/zones/fresh_cards.js";

/** Milliseconds for which an action has been ready before it is asked about: whoever goes on at once asks nothing. */
const STILL = 150;
/** The most changes that the confirm bar shows. */
const SHOWN = 2;

/** @type {Foreseen} */
const NOTHING = { zones: [], facts: [] };

export class Foresight {
  /** The action that was asked about, and the question that it answers. */
  #about = "";
  #changes = NOTHING;
  #asking = new AbortController();
  #timer = 0;

  /** @param {string} path of the game @param {() => void} redraw */
  constructor(path, redraw) {
    this.path = path;
    this.redraw = redraw;
  }

  /** What the action changes, if that is known; it is asked for otherwise. @param {Game} game @param {Legal | null} ready @returns {Foreseen} */
  changes(game, ready) {
    const isKnown = ready !== null && game.changes === undefined; // of a choice that is only changed the service foresees nothing
    const about = isKnown ? JSON.stringify([game.asked, ready.action]) : "";
    if (about !== this.#about) {
      this.stop();
      this.#about = about;
      if (isKnown) this.#timer = setTimeout(() => this.#ask({ asked: game.asked, action: ready.action }), STILL);
    }
    return this.#changes;
  }

  stop() {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#asking = new AbortController();
    this.#about = "";
    this.#changes = NOTHING;
  }

  /** @param {{asked: number | null, action: any}} body */
  async #ask(body) {
    const { signal } = this.#asking;
    try {
      const { data } = await request("POST", `${this.path}/preview`, { body, signal });
      if (signal.aborted || !data.facts.length && !data.zones.length) return;
      this.#changes = data;
      this.redraw();
    } catch (error) {
      if (!(error instanceof Problem)) throw error; // whatever the service refuses, it says when the action is sent
    }
  }
}

/** The view with facts that say what they are and what they will be, and zones with the number of cards that they will have. @param {View} view @param {Foreseen} changes @returns {View} */
export function withChanges(view, { zones, facts }) {
  return { ...view, zones: zones.length ? countedZones(view, zones) : view.zones, facts: facts.length ? changedFacts(view, facts) : view.facts };
}

/** @param {View} view @param {Foreseen["zones"]} changes @returns {Zone[]} */
function countedZones({ zones }, changes) {
  return zones.map(zone => {
    const after = changes.find(each => each.before && each.after && zoneKey(each.before) === zoneKey(zone))?.after;
    return after ? { ...zone, ...(after.count === zone.count ? {} : { then: after.count }), ...struck(zone, after, changes) } : zone;
  });
}

/** What will lie openly nowhere any more is struck through; what is played from a hand or a pile is not meant. @param {Zone} zone @param {Zone} after @param {Foreseen["zones"]} changes */
function struck({ kind, cards }, after, changes) {
  if (!cards || !after.cards || kind === "hand" || kind === "pile") return {};
  const left = changes.flatMap(each => (each.after?.kind === "pile" ? [] : each.after?.cards ?? [])).map(cardCode);
  return { cards: cards.map(card => {
    const code = cardCode(card);
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return code === null || at >= 0 ? card : { card: code, is: [...cardMarks(card), "going"] };
  }) };
}

/** @param {View} view @param {Change[]} changes @returns {Fact[]} */
function changedFacts(view, changes) {
  const facts = view.facts.map(fact => {
    const change = changes.find(({ before, after }) => before && after && isAbout(before, fact));
    return change ? foreseen(fact, /** @type {Fact} */ (change.after)) : fact;
  });
  // Others would stand in a line of facts, which may break then, and move the table.
  const fresh = changes.flatMap(({ before, after }) => (!before && after && typeof after.value === "number" && after.index !== undefined ? [arriving(after)] : []));
  return [...facts, ...fresh];
}

/** The changes of numbers that concern the user or the table, in few words, those that have few words first. @param {Foreseen} changes @param {number | null} seat @returns {string[]} */
export function shortChanges({ facts }, seat) {
  return facts.filter(({ before, after }) => before && after && typeof after.value === "number" && after.value !== before.value && (after.of === undefined || after.of === seat))
    .sort((one, other) => Number(one.after?.short === undefined) - Number(other.after?.short === undefined))
    .slice(0, SHOWN).map(({ before, after }) => changed(unended(/** @type {Fact} */ (before)), unended(/** @type {Fact} */ (after))));
}

/** Without the stop at the end: other changes may follow. @param {Fact} fact */
function unended(fact) {
  return brief(fact).replace(/[.。]$/u, "");
}

/** @param {Fact} one @param {Fact} other */
function isAbout(one, other) {
  return ["name", "of", "index", "card"].every(key => one[key] === other[key]);
}

/** @param {Fact} before @param {Fact} after @returns {Fact} */
function foreseen(before, after) {
  const numbers = typeof before.value === "number" && typeof after.value === "number" && before.value !== after.value;
  const short = before.short === undefined ? {} : { short: changed(before.short, brief(after)) }; // one without is told elsewhere
  return { ...before, ...short, words: changed(before.words, after.words), value: numbers ? `${before.value} → ${after.value}` : before.value, foreseen: true };
}

/** @param {Fact} fact @returns {Fact} */
function arriving(fact) {
  return { ...fact, words: `→ ${fact.words}`, short: `→ ${brief(fact)}`, value: `→ ${fact.value}`, foreseen: true };
}

/** @param {Fact} fact */
function brief({ short, words }) {
  return short ?? words;
}

/**
 * "Total 9 → 18" of "Total 9" and "Total 18": what both begin and end with is said once.
 * @param {string} before @param {string} after
 */
export function changed(before, after) {
  if (before === after) return before;
  const [one, other] = [words(before), words(after)];
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  const [from, to] = [one, other].map(each => each.slice(start, each.length - end).join("").trim());
  if (!from || !to) return `${before} → ${after}`;
  return `${one.slice(0, start).join("")}${from} → ${to}${one.slice(one.length - end).join("")}`;
}

/** Numbers, words, spaces and single other characters. @param {string} text @returns {string[]} */
function words(text) {
  return text.match(/\p{N}+|[\p{Script=Latin}]+|\s+|./gsu) ?? [];
}
