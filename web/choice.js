// @ts-check
/**
 * Step by step to one member of `legal`: first by cards picked or by type, then by each declared parameter, in order.
 * Nothing here knows a game or the screen; what comes out is always a member of the list that came in.
 *
 * @typedef {import("./api.js").Legal} Legal
 * @typedef {import("./api.js").Action} Action
 * @typedef {import("./api.js").Parameter} Parameter
 * @typedef {Record<string, {words: string, parameters: Parameter[]}>} Types  As the ruleset declares them.
 *
 * @typedef {object} Draft What has been decided so far.
 * @property {string | null} type
 * @property {Record<string, any>} values  Parameters that are settled; undefined: the action goes without.
 * @property {string[]} picked  Cards for the first parameter of cards that is not settled, in the order of picking.
 * @property {Legal | null} chosen  A whole action chosen from a short list.
 *
 * @typedef {{words: string | null, card?: string, value?: any, draft: Draft}} Way  A choice that can be made now; `card`: by
 *   picking it.
 * @typedef {{about: "all" | "type" | "value" | "cards", parameter?: Parameter, ways: Way[]}} Step
 * @typedef {{ready: Legal | null, step: Step | null, left: Legal[]}} Reading
 */

import { CARDS, cardParameters, distinct, fits, isCard, isCards, nextCards, openCards, parametersOf, same, without } from "./actions.js";

/** Lists up to this length are offered whole: at first, and where the way that has been begun leads to several types. */
const SHORT = 8;
const RATHER_STEPS = 3;

/** @type {Draft} */
export const NOTHING = { type: null, values: {}, picked: [], chosen: null };

/**
 * What a draft means: what would be sent, and what can be decided next.
 * @param {Legal[]} legal @param {Types} types @param {Draft} draft @returns {Reading}
 */
export function read(legal, types, draft) {
  const left = legal.filter(({ action }) => fits(action, types, draft));
  const ready = draft.chosen ?? (begun(draft) ? settled(left, types, draft) : null);
  return { ready, left, step: left.length > 1 || !begun(draft) ? step(left, types, draft) : null };
}

/** Whether anything has been decided. @param {Draft} draft */
export function touched(draft) {
  return draft.chosen !== null || begun(draft);
}

/** Whether the way has been begun: what was chosen whole from a list narrows nothing. @param {Draft} draft */
export function begun(draft) {
  return draft.type !== null || draft.picked.length > 0 || Object.keys(draft.values).length > 0;
}

/** The cards that a draft holds, in order. @param {Types} types @param {Draft} draft @returns {string[]} */
export function cardsOf(types, draft) {
  if (draft.chosen) return cardsIn(types, draft.chosen);
  const settledCards = Object.values(draft.values).flat().filter(value => typeof value === "string" && isCard(value));
  return [...settledCards, ...draft.picked];
}

/** The cards that an action names. @param {Types} types @param {Legal} legal @returns {string[]} */
export function cardsIn(types, { action }) {
  return cardParameters(types, action).flatMap(({ name }) => action[name]);
}

/**
 * The draft after a tap on a card: put back if it was picked, else added, else a new beginning. Null: the card fits nowhere.
 * @param {Legal[]} legal @param {Types} types @param {Draft} draft @param {string} card @param {boolean} held it was picked
 * @returns {Draft | null}
 */
export function tap(legal, types, draft, card, held) {
  const open = { ...draft, chosen: null };
  if (draft.chosen) return tap(legal, types, held ? dissolve(types, draft.chosen) : NOTHING, card, held);
  if (held) return putBack(open, card);
  const added = { ...open, picked: [...draft.picked, card] };
  if (some(legal, types, added)) return settle(legal, types, added);
  if (cardsOf(types, draft).length > 1) return null;
  const anew = [draft.type, null].map(type => ({ ...NOTHING, type, picked: [card] }));
  const possible = anew.find(each => some(legal, types, each));
  return possible ? settle(legal, types, possible) : null;
}

/** Whether a draft still leads anywhere. @param {Legal[]} legal @param {Types} types @param {Draft} draft */
export function some(legal, types, draft) {
  return legal.some(({ action }) => fits(action, types, draft));
}

/**
 * The one action that a draft stands for as it is: all that is left, or the one with exactly the picked cards.
 * @param {Legal[]} left @param {Types} types @param {Draft} draft
 */
function settled(left, types, draft) {
  if (left.length === 1) return left[0];
  const exact = left.filter(({ action }) => {
    const parameter = openCards(types, action, draft);
    return parameter && draft.picked.length && [action[parameter.name]].flat().length === draft.picked.length;
  });
  return exact.length === 1 ? exact[0] : null;
}

/**
 * Cards that leave no other choice are settled, so that the next pick is about the next parameter.
 * @param {Legal[]} legal @param {Types} types @param {Draft} draft
 */
function settle(legal, types, draft) {
  const left = legal.filter(({ action }) => fits(action, types, draft));
  const names = distinct(left.map(({ action }) => [action.type, openCards(types, action, draft)?.name]));
  if (!draft.picked.length || names.length !== 1) return draft;
  const name = names[0][1];
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

/** A whole action as separate decisions again. @param {Types} types @param {Legal} chosen @returns {Draft} */
export function dissolve(types, { action }) {
  const { type, ...values } = action;
  return { ...NOTHING, type: parametersOf(types, type).length ? type : null, values };
}

/** @param {Legal[]} left @param {Types} types @param {Draft} draft @returns {Step} */
function step(left, types, draft) {
  const kinds = distinct(left.map(({ action }) => action.type));
  const whole = begun(draft) ? left.length <= RATHER_STEPS && kinds.length > 1 : left.length <= SHORT;
  if (whole) return { about: "all", ways: left.map(each => way(each, draft)) };
  if (kinds.length > 1) return { about: "type", ways: kinds.map(kind => byType(left, types, draft, kind)) };
  const open = parametersOf(types, kinds[0]).filter(({ name }) => !(name in draft.values));
  const parameter = open.find(({ name }) => distinct(left.map(({ action }) => action[name])).length > 1);
  if (!parameter) return { about: "all", ways: left.map(each => way(each, draft)) };
  const cards = CARDS.includes(parameter.kind) ? distinct(left.flatMap(each => nextCards(types, each, draft))) : [];
  if (!cards.length) return { about: "value", parameter, ways: byValue(left, draft, parameter) };
  const complete = left.filter(each => !nextCards(types, each, draft).length);
  return { about: "cards", parameter, ways: [...cards.map(card => byCard(left, types, draft, card)), ...byValue(complete, draft, parameter)] };
}

/** @param {Legal} legal @param {Draft} draft @returns {Way} */
function way(legal, draft) {
  return { words: legal.words, draft: { ...draft, chosen: legal } };
}

/** @param {Legal[]} left @param {Types} types @param {Draft} draft @param {string} type @returns {Way} */
function byType(left, types, draft, type) {
  const these = left.filter(({ action }) => action.type === type);
  if (these.length === 1) return way(these[0], draft);
  return { words: types[type]?.words ?? type, draft: settle(left, types, { ...draft, type, chosen: null }) };
}

/** @param {Legal[]} left @param {Draft} draft @param {Parameter} parameter @returns {Way[]} */
function byValue(left, draft, { name, values = {} }) {
  return distinct(left.map(({ action }) => action[name])).map(value => {
    const these = left.filter(({ action }) => same(action[name], value));
    const listed = Array.isArray(value) && !isCards(value) ? these[0].words : null;
    const next = these.length === 1 ? { ...draft, chosen: these[0] } : { ...draft, chosen: null, picked: [], values: { ...draft.values, [name]: value } };
    return { value, words: values[String(value)] ?? listed, draft: next };
  });
}

/** @param {Legal[]} left @param {Types} types @param {Draft} draft @param {string} card @returns {Way} */
function byCard(left, types, draft, card) {
  return { card, words: null, draft: settle(left, types, { ...draft, chosen: null, picked: [...draft.picked, card] }) };
}
