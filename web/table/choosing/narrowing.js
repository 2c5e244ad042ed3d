// @ts-check
/**
 * Choosing one of the legal actions step by step: by picking cards or a type, then each declared parameter in order.
 * Knows neither games nor the screen; the result is always a member of the list of legal actions.
 *
 * @typedef {import("../../base/api.js").Legal} Legal
 * @typedef {import("../../base/api.js").Action} Action
 * @typedef {import("../../base/api.js").Parameter} Parameter
 * @typedef {Record<string, {words: string, parameters: Parameter[], spot?: import("../../base/api.js").Spot | null, usual?: boolean, destroys?: boolean}>} Types  The actions that the ruleset declares, by type.
 *
 * @typedef {object} Draft  What has been chosen so far.
 * @property {string | null} type
 * @property {Record<string, any>} values  Parameters that are settled; undefined: the action has none.
 * @property {string[]} picked  Cards for the first card parameter that is not settled, in the order picked.
 * @property {Legal | null} chosen  A whole action, chosen from a short list.
 *
 * @typedef {{words: string | null, card?: string, value?: any, draft: Draft, apart?: boolean}} Way  A choice that is open now; `card` if it
 *   is made by picking a card; `apart` if it has to be named.
 * @typedef {{about: "all" | "type" | "value" | "cards", parameter?: Parameter, ways: Way[]}} Step
 * @typedef {{ready: Legal | null, step: Step | null, left: Legal[]}} Reading
 */

import { CARDS, cardParameters, distinct, fits, isCardCode, isCards, isEqual, isUsual, nextCards, openCardParameter, parametersOf, without } from "./action_parameters.js";
import { MOST_LINES, linesOf } from "./lines_of_buttons.js";

/** Lists up to this length are offered as whole actions: at the start, if the panel has the room, and once begun with several types left. */
const SHORT = 8;
const SHORT_ONCE_BEGUN = 3;
/** Up to so many of one type are offered as whole sentences once nothing of them can be pointed at. */
const SENTENCES = 6;

/** @type {Draft} */
export const EMPTY_DRAFT = { type: null, values: {}, picked: [], chosen: null };

/**
 * The action that a draft stands for, and the choices that come next.
 * @param {Legal[]} legal @param {Types} types @param {Draft} draft @returns {Reading}
 */
export function readDraft(legal, types, draft) {
  const left = legal.filter(({ action }) => fits(action, types, draft));
  const ready = draft.chosen ?? (isBegun(draft) ? readyAction(left, types, draft) : onlyAction(legal, types));
  const step = left.length > 1 || !isBegun(draft) ? nextStep(left, types, draft) : null;
  const apart = waysApart(legal, types, draft);
  if (!apart.length) return { ready, left, step };
  return { ready, left, step: { about: "type", ...step, ways: [...(step?.ways ?? []), ...apart] } };
}

/** The only legal action is ready from the beginning, unless it destroys. @param {Legal[]} legal @param {Types} types */
function onlyAction(legal, types) {
  return legal.length === 1 && !types[legal[0].action.type]?.destroys ? legal[0] : null;
}

/** What has to be named, of that to which what has been chosen could lead. @param {Legal[]} legal @param {Types} types @param {Draft} draft @returns {Way[]} */
function waysApart(legal, types, draft) {
  if (draft.type !== null || !isBegun(draft)) return [];
  const kinds = Object.keys(types).filter(type => types[type].destroys);
  return kinds.flatMap(type => {
    const left = legal.filter(({ action }) => fits(action, types, { ...draft, type }));
    return left.length ? [{ ...byType(left, types, draft, type), apart: true }] : [];
  });
}

/** Whether anything has been chosen. @param {Draft} draft */
export function isTouched(draft) {
  return draft.chosen !== null || isBegun(draft);
}

/** Whether anything narrows the list: a whole action chosen from it does not. @param {Draft} draft */
function isBegun(draft) {
  return draft.type !== null || draft.picked.length > 0 || Object.keys(draft.values).length > 0;
}

/** The cards in a draft, in order. @param {Types} types @param {Draft} draft @returns {string[]} */
export function cardsInDraft(types, draft) {
  if (draft.chosen) return cardsInAction(types, draft.chosen);
  const settledCards = Object.values(draft.values).flat().filter(isCardCode);
  return [...settledCards, ...draft.picked];
}

/** The cards that an action names. @param {Types} types @param {Legal} legal @returns {string[]} */
export function cardsInAction(types, { action }) {
  return cardParameters(types, action).flatMap(({ name }) => action[name]);
}

/**
 * The draft after a tap on a card: puts it back if it was picked, else adds it, else starts over with it. Null if that leads nowhere.
 * @param {Legal[]} legal @param {Types} types @param {Draft} draft @param {string} card @param {boolean} held whether it was picked
 * @param {Legal[]} [left] those of the legal actions that fit the draft, if they are known
 * @returns {Draft | null}
 */
export function tapCard(legal, types, draft, card, held, left = legal) {
  const open = { ...draft, chosen: null };
  if (draft.chosen) return tapCard(legal, types, held ? asSeparateDecisions(types, draft.chosen) : EMPTY_DRAFT, card, held);
  if (held) return putBack(open, card);
  const added = { ...open, picked: [...draft.picked, card] };
  const fitting = left.filter(({ action }) => fits(action, types, added));
  if (fitting.length) return settleOnlyCards(fitting, types, added);
  if (cardsInDraft(types, draft).length > 1) return null;
  const fresh = [draft.type, null].map(type => ({ ...EMPTY_DRAFT, type, picked: [card] }));
  const possible = fresh.find(each => isPossible(legal, types, each));
  return possible ? settleOnlyCards(legal, types, possible) : null;
}

/** Whether any legal action is compatible with a draft. @param {Legal[]} legal @param {Types} types @param {Draft} draft */
export function isPossible(legal, types, draft) {
  return legal.some(({ action }) => fits(action, types, draft));
}

/**
 * The action that a draft stands for: the only one left, the only usual one, or the one with exactly the picked cards.
 * @param {Legal[]} left @param {Types} types @param {Draft} draft
 */
function readyAction(left, types, draft) {
  if (left.length === 1) return left[0];
  const usual = left.filter(({ action }) => isUsual(types, action, draft));
  if (usual.length === 1) return usual[0];
  const exact = left.filter(({ action }) => {
    const parameter = openCardParameter(types, action, draft);
    return parameter && draft.picked.length && [action[parameter.name]].flat().length === draft.picked.length;
  });
  return exact.length === 1 ? exact[0] : null;
}

/**
 * Settles the picked cards once they leave no choice, so that the next pick is for the next parameter.
 * @param {Legal[]} legal @param {Types} types @param {Draft} draft
 */
function settleOnlyCards(legal, types, draft) {
  if (!draft.picked.length) return draft;
  const left = legal.filter(({ action }) => fits(action, types, draft));
  const kinds = distinct(left.map(({ action }) => action.type));
  const [name = "", ...others] = distinct(left.map(({ action }) => openCardParameter(types, action, draft)?.name));
  if (kinds.length !== 1 || others.length) return draft;
  const values = distinct(left.map(({ action }) => action[name]));
  return values.length > 1 ? draft : { ...draft, values: { ...draft.values, [name]: values[0] }, picked: [] };
}

/** @param {Draft} draft @param {string} card @returns {Draft} */
function putBack(draft, card) {
  if (draft.picked.includes(card)) return { ...draft, picked: without(draft.picked, card) };
  const values = { ...draft.values };
  const name = Object.keys(values).find(each => isCards(values[each]) && [values[each]].flat().includes(card));
  const rest = name ? without([values[name]].flat(), card) : [];
  if (name) delete values[name];
  return { ...draft, values, picked: rest };
}

/** A whole action taken apart into the choices that lead to it. @param {Types} types @param {Legal} chosen @returns {Draft} */
export function asSeparateDecisions(types, { action }) {
  const { type, ...values } = action;
  return { ...EMPTY_DRAFT, type: parametersOf(types, type).length ? type : null, values };
}

/** @param {Legal[]} left @param {Types} types @param {Draft} draft @returns {Step} */
function nextStep(left, types, draft) {
  const kinds = distinct(left.map(({ action }) => action.type));
  const whole = isBegun(draft) ? left.length <= SHORT_ONCE_BEGUN && kinds.length > 1 || areSentences(left, types, draft) : left.length <= SHORT && hasRoom(left, types);
  if (whole) return { about: "all", ways: left.map(each => way(each, draft)) };
  if (kinds.length > 1) return { about: "type", ways: kinds.map(kind => byType(left, types, draft, kind)) };
  const open = parametersOf(types, kinds[0]).filter(({ name }) => !(name in draft.values));
  const parameter = open.find(({ name }) => distinct(left.map(({ action }) => action[name])).length > 1);
  if (!parameter) return { about: "all", ways: left.map(each => way(each, draft)) };
  const cards = CARDS.includes(parameter.kind) ? distinct(left.flatMap(each => nextCards(types, each, draft))) : [];
  if (!cards.length) return { about: "value", parameter, ways: byValue(left, draft, parameter) };
  const complete = left.filter(each => !nextCards(types, each, draft).length);
  return { about: "cards", parameter, ways: [...cards.map(card => ({ card, words: null, draft: settleOnlyCards(left, types, { ...draft, chosen: null, picked: [...draft.picked, card] }) })), ...byValue(complete, draft, parameter)] };
}

/** Whether nothing is left to be pointed at of the few that are left. @param {Legal[]} left @param {Types} types @param {Draft} draft */
function areSentences(left, types, draft) {
  const open = left.length <= SENTENCES ? left.flatMap(({ action }) => parametersOf(types, action.type).filter(({ name }) => !(name in draft.values) && !isEqual([action[name]].flat(), draft.picked) && distinct(left.map(each => each.action[name])).length > 1)) : [];
  return open.length > 0 && open.every(({ kind, spot }) => !spot && kind !== "seat" && kind !== "number" && !CARDS.includes(kind));
}

/** Whether the actions that are buttons, because they name nothing that can be touched elsewhere, stand in the panel all at once. @param {Legal[]} left @param {Types} types */
function hasRoom(left, types) {
  const buttons = left.filter(({ action }) => parametersOf(types, action.type).every(({ name, kind, spot }) => action[name] === undefined || !spot && !CARDS.includes(kind)));
  return linesOf(buttons.map(({ words }) => words)) <= MOST_LINES;
}

/** @param {Legal} legal @param {Draft} draft @returns {Way} */
function way(legal, draft) {
  return { words: legal.words, draft: { ...draft, chosen: legal } };
}

/** @param {Legal[]} left @param {Types} types @param {Draft} draft @param {string} type @returns {Way} */
function byType(left, types, draft, type) {
  const these = left.filter(({ action }) => action.type === type);
  if (these.length === 1) return { ...way(these[0], draft), ...(saidAlready(these[0], types, draft) ? { words: types[type].words } : {}) };
  return { words: types[type]?.words ?? type, draft: settleOnlyCards(left, types, { ...draft, type, chosen: null }) };
}

/** Whether all that an action names has been chosen: its type is enough then. @param {Legal} legal @param {Types} types @param {Draft} draft */
function saidAlready({ action }, types, draft) {
  const named = parametersOf(types, action.type).filter(({ name }) => action[name] !== undefined);
  return named.length > 0 && named.every(({ name }) => name in draft.values || isEqual([action[name]].flat(), draft.picked));
}

/** @param {Legal[]} left @param {Draft} draft @param {Parameter} parameter @returns {Way[]} */
function byValue(left, draft, { name, values = {} }) {
  return distinct(left.map(({ action }) => action[name])).map(value => {
    const these = left.filter(({ action }) => isEqual(action[name], value));
    const listed = Array.isArray(value) && !isCards(value) ? these[0].words : null;
    const next = these.length === 1 ? { ...draft, chosen: these[0] } : { ...draft, chosen: null, picked: [], values: { ...draft.values, [name]: value } };
    return { value, words: values[String(value)] ?? listed, draft: next };
  });
}
