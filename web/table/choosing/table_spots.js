// @ts-check
/**
 * Choosing what lies on the table, for parameters and types of actions that the ruleset gives a spot, for seats, and for
 * cards that are not in the hand.
 *
 * @typedef {import("./narrowing.js").Legal} Legal
 * @typedef {import("./narrowing.js").Action} Action
 * @typedef {import("./narrowing.js").Parameter} Parameter
 * @typedef {import("./narrowing.js").Types} Types
 * @typedef {import("./narrowing.js").Draft} Draft
 * @typedef {import("../../base/api.js").View} View
 * @typedef {import("../../base/api.js").Zone} Zone
 *
 * @typedef {{type?: string, values?: Record<string, any>, member?: [name: string, value: any]}} Choice  What a spot stands for:
 *   a type, values of parameters, or a member of a value that is a list.
 * @typedef {Map<string, Choice[]>} Choices  By the key of the spot (cards/zones/spots.js).
 * @typedef {{view: View, me: number | null, legal: Legal[], types: Types, draft: Draft, reading: import("./narrowing.js").Reading, hand: string[], wanted: Action | null,
 *   tapCard: (code: string, held: boolean) => Draft | null, choose: (draft: Draft) => void,
 *   refuse?: (touched: import("../../base/api.js").Touched) => void}} Pointing
 */

import { SUITS } from "../../base/words.js";
import { cardCode, cardMarks } from "../../cards/card.js";
import { endToEnd } from "../../cards/zones/domino_line.js";
import { cardSpot, choosable, endSpot, gapSpot, placeSpot, seatSpot, zoneSpot } from "../../cards/zones/spots.js";
import { fits, isCardCode, isEqual, leadsToWanted, parametersOf } from "./action_parameters.js";
import { EMPTY_DRAFT, asSeparateDecisions, cardsInAction, cardsInDraft, isPossible } from "./narrowing.js";

/** The spots of a table, and what is chosen there. */
export class TableSpots {
  /** What can be chosen or taken back now; null until somebody asks. @type {Set<string> | null} */
  #open = null;

  /** @param {Pointing} pointing @param {TableSpots | null} [same]  of the same question, where something else has been chosen */
  constructor(pointing, same = null) {
    this.pointing = pointing;
    const { legal, view, me, hand, types } = pointing;
    /** @type {Choices} */
    this.choices = same ? same.choices : new Map();
    if (!same) for (const { action } of legal) for (const [key, choice] of this.#spotsOf(action)) addChoice(this.choices, key, choice);
    const near = same ? [] : view.zones.filter(({ kind, seat }) => kind !== "pile" && (seat === undefined || seat === me));
    const lying = new Set(near.flatMap(({ cards = [] }) => cards.map(cardCode)));
    const named = same ? [] : legal.flatMap(each => cardsInAction(types, each));
    /** Cards that actions name, in the middle or before the user: those of others may be folded away, those in piles lie under others. @type {Set<string>} */
    this.cards = same ? same.cards : new Set(named.filter(code => lying.has(code) && !hand.includes(code)));
    /** Cards that are chosen in another way: from a list. @type {Set<string>} */
    this.listed = same ? same.listed : new Set(named.filter(code => !lying.has(code) && !hand.includes(code)));
    this.ghosts = this.#ghosts();
  }

  /** @param {string} key @returns {import("../../cards/zones/spots.js").Spot | null} */
  spot(key) {
    const { choose } = this.pointing;
    const card = key.startsWith("card ") ? key.slice(5) : "";
    const found = this.cards.has(card) ? this.#afterCard(card) : this.#afterSpot(this.choices.get(key) ?? []);
    const ghost = this.ghosts.get(key) ?? null;
    if (!found) return ghost === null ? null : { held: false, glows: false, ghost, tap() {} };
    return { ...found, usual: found.glows && this.#invites(found.draft), tried: !found.held && leadsToWanted(this.pointing.wanted, this.pointing.types, found.draft), ghost, tap: () => choose(found.draft) };
  }

  /** Whether a draft leads to what one usually does, and not past a card of the hand that is picked first. @param {Draft} draft */
  #invites(draft) {
    const { legal, types, hand } = this.pointing;
    const picked = draft.chosen ? null : cardsInDraft(types, draft);
    return legal.some(each => types[each.action.type]?.usual !== false && fits(each.action, types, draft)
      && (!picked || cardsInAction(types, each).every(card => picked.includes(card) || !hand.includes(card))));
  }

  /**
   * Cards are passed over while others on the table can be chosen, and those of one of several zones while others of these can.
   * @param {Zone} zone @param {import("../../base/api.js").Face} card
   */
  passesOver(zone, card) {
    /** @type {Set<string>} */
    const open = this.#open ??= new Set([...this.choices.keys(), ...[...this.cards].map(cardSpot)].filter(key => choosable(this, key)));
    if (open.has(zoneSpot(zone)) || this.listed.has(cardCode(card) ?? "") || cardMarks(card).includes("vacant")) return false;
    const alike = new RegExp(`^zone [^/]+/${zone.seat ?? ""}/\\d`);
    return [...open].some(key => /^(card|gap) /.test(key) || (zone.index !== undefined && alike.test(key)));
  }

  /** Something that is passed over was touched. @param {Zone} zone @param {import("../../base/api.js").Face} card @param {number} place */
  refuse({ name, seat, index }, card, place) {
    this.pointing.refuse?.({ zone: name, seat, index, card: cardCode(card), place });
  }

  /** Whether anything can be chosen on the table. */
  get any() {
    return this.choices.size + this.cards.size > 0;
  }

  /** What a spot that is chosen stands for besides: touching it again would only take it back. @returns {import("./narrowing.js").Way[]} */
  get others() {
    const { types, draft } = this.pointing;
    if (cardsInDraft(types, draft).length) return [];
    const open = taken(types, draft);
    return [...this.choices.values()].flatMap(choices => {
      const chosen = choices.find(choice => isChosen(open, choice));
      return chosen ? choices.filter(each => each !== chosen).flatMap(each => this.#instead({ ...without(open, chosen), type: null }, each)) : [];
    });
  }

  /** @param {Draft} from @param {Choice} choice @returns {import("./narrowing.js").Way[]} */
  #instead(from, choice) {
    const { legal, types } = this.pointing;
    const draft = added(from, choice);
    const left = legal.filter(({ action }) => fits(action, types, draft));
    const kinds = new Set(left.map(({ action }) => action.type));
    if (kinds.size !== 1) return [];
    const [{ action: { type }, words }] = left;
    return [left.length === 1 ? { words, draft: { ...draft, chosen: left[0] } } : { words: types[type]?.words ?? type, draft: { ...draft, type } }];
  }

  /** Whether a parameter of an action is chosen on the table. @param {Action} action @param {Parameter} parameter */
  shows(action, { name }) {
    return this.#spotsOf(action).some(([, { values, member }]) => name in (values ?? {}) || member?.[0] === name);
  }

  /** Whether cards or spots that are not chosen yet lead to an action. @param {Legal} legal @param {Legal[]} left  the actions that are possible still */
  leadsTo({ action, words }, left) {
    const { types, draft, hand } = this.pointing;
    const cards = cardsInAction(types, { action, words });
    if (cards.length > cardsInDraft(types, { ...draft, chosen: null }).length && cards.every(code => hand.includes(code) || this.cards.has(code))) return true;
    const one = left.every(each => each.action.type === action.type);
    return this.#spotsOf(action).some(([, { values, member }]) => (values ? Object.keys(values).some(name => !(name in draft.values)) : one && member && !(member[0] in draft.values)));
  }

  /**
   * What the draft is after a tap on a card that lies on the table.
   * @param {string} code
   */
  #afterCard(code) {
    const { types, draft, tapCard } = this.pointing;
    const held = cardsInDraft(types, draft).includes(code);
    const after = tapCard(code, held);
    return after && { draft: after, held, glows: !held };
  }

  /**
   * Takes the spot back if it is chosen, else goes on with it, else starts over with it unless cards have been picked.
   * @param {Choice[]} choices
   */
  #afterSpot(choices) {
    const { legal, types, draft } = this.pointing;
    const open = taken(types, draft);
    const chosen = choices.find(choice => isChosen(open, choice));
    if (chosen) return { draft: without(open, chosen), held: true, glows: false };
    const goingOn = [open, { ...open, values: cardValues(open) }];
    const anew = cardsInDraft(types, draft).length ? [] : [{ ...EMPTY_DRAFT, type: open.type }, EMPTY_DRAFT];
    for (const from of [...goingOn, ...anew]) {
      const possible = choices.map(choice => added(from, choice)).find(each => isPossible(legal, types, each));
      if (possible) return { draft: possible, held: false, glows: goingOn.includes(from) };
    }
    return null;
  }

  /** Where the card of the action that is ready will lie, or that of the draft as far as it goes. @returns {Map<string, string>} */
  #ghosts() {
    const { reading: { ready, left }, types, draft, hand } = this.pointing;
    const legal = ready ?? left[0];
    const cards = ready ? cardsInAction(types, ready) : cardsInDraft(types, draft);
    const card = cards.find(code => hand.includes(code));
    if (!legal || !card) return new Map();
    const each = this.#ghostsEach(legal.action, cards);
    if (each.size) return each;
    const settled = (/** @type {Choice} */ { values }) => Object.keys(values ?? {}).every(name => ready || name in draft.values);
    const spots = this.#spotsOf(legal.action).filter(([, choice]) => !choice.member && settled(choice) && (ready || choice.values));
    const nearest = spots.find(([key]) => !key.startsWith("zone ")) ?? spots.find(([, { values }]) => values) ?? spots[0];
    return new Map(nearest ? [[nearest[0], card]] : []);
  }

  /** Cards that go to zones in their order, or a single one into its zone. @param {Action} action @param {string[]} cards @returns {Map<string, string>} */
  #ghostsEach({ type }, cards) {
    const spot = parametersOf(this.pointing.types, type).find(({ spot: each }) => each?.by === "each" || (each?.by === "into" && cards.length === 1))?.spot;
    const zones = spot ? this.#zones(spot.zone ?? "") : [];
    return new Map(zones.flatMap((zone, n) => (n < cards.length ? [/** @type {[string, string]} */ ([zoneSpot(zone), cards[n]])] : [])));
  }

  /** @param {Action} action @returns {[key: string, choice: Choice][]} */
  #spotsOf(action) {
    const { types } = this.pointing;
    const pile = types[action.type]?.spot?.zone;
    const zones = pile ? this.#zones(pile) : [];
    return [
      ...zones.map(zone => /** @type {[string, Choice]} */ ([zoneSpot(zone), { type: action.type }])),
      ...parametersOf(types, action.type).filter(({ name }) => action[name] !== undefined && action[name] !== null).flatMap(each => this.#spotsOfValue(action, each))];
  }

  /** @param {Action} action @param {Parameter} parameter @returns {[key: string, choice: Choice][]} */
  #spotsOfValue(action, { name, kind, spot }) {
    const value = action[name];
    const choice = { values: { [name]: value } };
    if (kind === "seat") return [[seatSpot(value), choice]];
    if (!spot) return [];
    const zones = this.#zones(spot.zone ?? value);
    /** @param {number} index */
    const at = index => zones.filter(zone => zone.index === index);
    const [zone] = zones;
    if (spot.by === "index" && Array.isArray(value)) return value.flatMap(each => at(each).map(found => /** @type {[string, Choice]} */ ([zoneSpot(found), { member: [name, each] }])));
    if (spot.by === "index") return at(value).map(found => [zoneSpot(found), choice]);
    if (spot.by === "company") return this.#company(action, at).map(found => [zoneSpot(found), choice]);
    if (spot.by === "gap") return this.#gap(action, name, spot.zone, at);
    if (!zone) return [];
    if (spot.by === "place") return [[placeSpot(zone, value), choice]];
    if (spot.by === "end") return openEnds(zone).filter(([, number]) => number === value).map(([side]) => [endSpot(zone, side), choice]);
    if (spot.by === "suit") return codesIn(zone).filter(code => code?.[1] === value).map(code => [cardSpot(code), choice]);
    return spot.by === "zone" ? [[zoneSpot(zone), choice]] : [];
  }

  /** The company of the card that is played, once that is picked: until then the same side of all companies would be chosen. @param {Action} action @param {(index: number) => Zone[]} at */
  #company(action, at) {
    const { types, draft } = this.pointing;
    const [card] = cardsInAction(types, { action, words: "" });
    return cardsInDraft(types, draft).includes(card) ? at(SUITS.indexOf(card[1])) : [];
  }

  /** A gap in the zone that another parameter names. @param {Action} action @param {string} name @param {string | null} zone @param {(index: number) => Zone[]} at @returns {[key: string, choice: Choice][]} */
  #gap(action, name, zone, at) {
    const row = parametersOf(this.pointing.types, action.type).find(({ spot }) => spot?.by === "index" && spot.zone === zone);
    if (!row) return [];
    return at(action[row.name]).map(found => [gapSpot(found, action[name]), { values: { [row.name]: action[row.name], [name]: action[name] } }]);
  }

  /** The zones of a name that are the user's or nobody's. @param {string} name */
  #zones(name) {
    const { view, me } = this.pointing;
    return view.zones.filter(zone => zone.name === name && (zone.seat === undefined || zone.seat === me));
  }
}

/** The numbers at the ends of a line of dominoes. @param {Zone} zone @returns {["left" | "right", number][]} */
function openEnds(zone) {
  const codes = codesIn(zone).filter(code => code !== null);
  if (!codes.length) return [];
  const tiles = endToEnd(codes);
  return [["left", tiles[0][0]], ["right", tiles[tiles.length - 1][1]]];
}

/** @param {Zone} zone */
function codesIn({ cards = [] }) {
  return cards.map(cardCode);
}

/** @param {Choices} choices @param {string} key @param {Choice} choice */
function addChoice(choices, key, choice) {
  const known = choices.get(key) ?? [];
  if (!known.some(each => isEqual(each, choice))) choices.set(key, choice.member ? [...known, choice] : [choice, ...known]); // lists come last: a card that is laid there goes first
}

/** A draft whose whole action, if it has one, is taken apart. @param {Types} types @param {Draft} draft @returns {Draft} */
function taken(types, draft) {
  return draft.chosen ? { ...asSeparateDecisions(types, draft.chosen), type: draft.chosen.action.type } : draft;
}

/** @param {Draft} draft @param {Choice} choice */
function isChosen(draft, { type, values, member }) {
  if (type !== undefined) return draft.type === type;
  if (member) return [draft.values[member[0]] ?? []].flat().includes(member[1]);
  return Object.entries(values ?? {}).every(([name, value]) => name in draft.values && isEqual(draft.values[name], value));
}

/** @param {Draft} draft @param {Choice} choice @returns {Draft} */
function added(draft, { type, values, member }) {
  if (type !== undefined) return { ...draft, type };
  if (!member) return { ...draft, values: { ...draft.values, ...values } };
  const [name, value] = member;
  return { ...draft, values: { ...draft.values, [name]: [...(draft.values[name] ?? []), value].sort((one, other) => one - other) } };
}

/** @param {Draft} draft @param {Choice} choice @returns {Draft} */
function without(draft, { type, values, member }) {
  if (type !== undefined) return { ...draft, type: null };
  const gone = member ? [member[0]] : Object.keys(values ?? {});
  const rest = Object.fromEntries(Object.entries(draft.values).filter(([name]) => !gone.includes(name)));
  const left = member ? draft.values[member[0]].filter((/** @type {any} */ each) => each !== member[1]) : [];
  return { ...draft, values: left.length && member ? { ...rest, [member[0]]: left } : rest };
}

/** The values that are cards. @param {Draft} draft */
function cardValues({ values }) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => [value].flat().every(isCardCode)));
}
