// @ts-check
/**
 * Actions and their declared parameters: compatibility with a draft, cards.
 *
 * @typedef {import("../../base/api.js").Legal} Legal
 * @typedef {import("../../base/api.js").Action} Action
 * @typedef {import("../../base/api.js").Parameter} Parameter
 * @typedef {import("./narrowing.js").Types} Types
 * @typedef {import("./narrowing.js").Draft} Draft
 */

import { isCard } from "../../cards/card.js";
import { isDomino } from "../../cards/domino_drawings.js";

export const CARDS = ["card", "cards", "sequence"];

/** @param {Action} action @param {Types} types @param {Draft} draft */
export function fits(action, types, draft) {
  if (draft.type !== null && action.type !== draft.type) return false;
  if (draft.type === null && types[action.type]?.destroys && isNarrowed(draft)) return false; // it has to be named
  for (const name in draft.values) if (!isEqual(action[name], draft.values[name])) return false;
  if (!draft.picked.length) return true;
  const parameter = openCardParameter(types, action, draft);
  return parameter !== undefined && includesPicked(action[parameter.name], draft.picked, parameter.kind === "sequence");
}

/** Whether cards or values have been chosen. @param {Draft} draft */
function isNarrowed({ picked, values }) {
  return picked.length > 0 || Object.keys(values).length > 0;
}

/** Whether it is what one usually does: of a type that nothing speaks against, with the values that are meant if nobody says otherwise. @param {Types} types @param {Action} action @param {Draft} draft */
export function isUsual(types, action, draft) {
  return (types[action.type]?.usual ?? true) && parametersOf(types, action.type).every(each => !("usual" in each) || each.name in draft.values || isEqual(action[each.name] ?? null, each.usual) || action[each.name] === undefined);
}

/** @param {any} cards one or several @param {string[]} picked @param {boolean} ordered */
function includesPicked(cards, picked, ordered) {
  if (!Array.isArray(cards)) return picked.length === 1 && picked[0] === cards;
  if (ordered) return picked.every((card, n) => cards[n] === card);
  return picked.every(card => count(cards, card) >= count(picked, card));
}

/** Those found already: a table asks for them again and again, for each of its cards. @type {WeakMap<Action, {types: Types, found: Parameter[]}>} */
const FOUND = new WeakMap();

/** @param {Types} types @param {Action} action */
export function cardParameters(types, action) {
  const known = FOUND.get(action);
  if (known?.types === types) return known.found;
  const found = parametersOf(types, action.type).filter(({ name, kind }) => CARDS.includes(kind) && isCards(action[name]));
  FOUND.set(action, { types, found });
  return found;
}

/** The user's choice that is sealed until all have chosen: the view tells it as a fact. @param {Types} types @param {import("../../base/api.js").View} view @param {number | null} me @returns {Action | null} */
export function sealedAction(types, { committed, facts }, me) {
  const fact = me !== null && committed.includes(me) ? facts.find(({ name, of }) => of === me && name in types) : undefined;
  return fact ? { ...fact, type: fact.name } : null;
}

/** The first card parameter of an action that the draft does not settle. @param {Types} types @param {Action} action @param {Draft} draft */
export function openCardParameter(types, action, draft) {
  return cardParameters(types, action).find(({ name }) => !(name in draft.values));
}

/** The cards that can be picked next towards an action. @param {Types} types @param {Legal} legal @param {Draft} draft */
export function nextCards(types, { action }, draft) {
  const parameter = openCardParameter(types, action, draft);
  if (!parameter) return [];
  const cards = [action[parameter.name]].flat();
  return parameter.kind === "sequence" ? cards.slice(draft.picked.length, draft.picked.length + 1) : draft.picked.reduce(without, cards);
}

/** @param {Types} types @param {string} type */
export function parametersOf(types, type) {
  return types[type]?.parameters ?? [];
}

/** @param {any} value */
export function isCards(value) {
  const all = [value].flat();
  return all.length > 0 && all.every(isCardCode);
}

/** Whether a value is the code of a card or of a domino. @param {any} value */
export function isCardCode(value) {
  return typeof value === "string" && (isCard(value) || isDomino(value));
}

/** @param {any} one @param {any} other */
export function isEqual(one, other) {
  return one === other || (isObject(one) && isObject(other) && JSON.stringify(one) === JSON.stringify(other));
}

/** @param {any[]} values */
export function distinct(values) {
  if (!values.some(isObject)) return [...new Set(values)];
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()];
}

/** @param {any} value */
function isObject(value) {
  return typeof value === "object" && value !== null;
}

/** @param {any[]} list @param {any} member */
function count(list, member) {
  return list.filter(each => each === member).length;
}

/** @param {string[]} list @param {string} gone */
export function without(list, gone) {
  const at = list.indexOf(gone);
  return list.filter((_, n) => n !== at);
}

/** What a lesson leaves to be pointed at: the action that the learner may try, unless it is ready. @param {import("../../base/api.js").Game} game @param {import("./narrowing.js").Reading} reading @returns {Action | null} */
export function toTry({ lesson }, { ready }) {
  const action = lesson?.action ?? null;
  return ready && isEqual(ready.action, action) ? null : action;
}

/** Whether a choice leads to an action. @param {Action | null} action @param {Types} types @param {Draft | null} draft  after the choice */
export function leadsToWanted(action, types, draft) {
  if (!action || !draft) return false;
  return draft.chosen ? isEqual(draft.chosen.action, action) : fits(action, types, draft);
}
