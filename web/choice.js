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
 * @typedef {{words: string | null, value?: any, name?: string, draft: Draft}} Way  A choice that can be made now.
 * @typedef {{about: "all" | "type" | "value" | "cards", parameter?: Parameter, ways: Way[]}} Step
 * @typedef {{ready: Legal | null, step: Step | null, left: Legal[]}} Reading
 */

/** Lists up to this length are offered whole: at first, and where the way that has been begun leads to several types. */
const SHORT = 8;
const RATHER_STEPS = 3;

const CARDS = ["card", "cards", "sequence"];

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

/** @param {Legal[]} legal @param {Types} types @param {Draft} draft */
function some(legal, types, draft) {
  return legal.some(({ action }) => fits(action, types, draft));
}

/** @param {Action} action @param {Types} types @param {Draft} draft */
function fits(action, types, draft) {
  if (draft.type !== null && action.type !== draft.type) return false;
  if (Object.entries(draft.values).some(([name, value]) => !same(action[name], value))) return false;
  if (!draft.picked.length) return true;
  const parameter = openCards(types, action, draft);
  return parameter !== undefined && holds(action[parameter.name], draft.picked, parameter.kind === "sequence");
}

/** @param {any} value @param {string[]} picked @param {boolean} ordered */
function holds(value, picked, ordered) {
  const cards = [value].flat();
  if (ordered) return picked.every((card, n) => cards[n] === card);
  return picked.every(card => count(cards, card) >= count(picked, card));
}

/** @param {Types} types @param {Action} action */
function cardParameters(types, action) {
  return parametersOf(types, action.type).filter(({ name, kind }) => CARDS.includes(kind) && isCards(action[name]));
}

/** The first parameter of cards that is not settled. @param {Types} types @param {Action} action @param {Draft} draft */
function openCards(types, action, draft) {
  return cardParameters(types, action).find(({ name }) => !(name in draft.values));
}

/** The one action that a draft stands for as it is: all that is left, or the one with exactly the picked cards. */
function settled(/** @type {Legal[]} */ left, /** @type {Types} */ types, /** @type {Draft} */ draft) {
  if (left.length === 1) return left[0];
  const exact = left.filter(({ action }) => {
    const parameter = openCards(types, action, draft);
    return parameter && draft.picked.length && [action[parameter.name]].flat().length === draft.picked.length;
  });
  return exact.length === 1 ? exact[0] : null;
}

/** Cards that leave no other choice are settled, so that the next pick is about the next parameter. */
function settle(/** @type {Legal[]} */ legal, /** @type {Types} */ types, /** @type {Draft} */ draft) {
  const left = legal.filter(({ action }) => fits(action, types, draft));
  if (!draft.picked.length || distinct(left.map(({ action }) => action.type)).length > 1) return draft;
  const parameter = openCards(types, left[0].action, draft);
  const values = parameter ? distinct(left.map(({ action }) => action[parameter.name])) : [];
  if (!parameter || values.length > 1) return draft;
  return { ...draft, values: { ...draft.values, [parameter.name]: values[0] }, picked: [] };
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
function dissolve(types, { action }) {
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
  if (left.some(({ action }) => CARDS.includes(parameter.kind) && isCards(action[parameter.name]))) {
    return { about: "cards", parameter, ways: byCard(left, types, draft, parameter) };
  }
  return { about: "value", parameter, ways: byValue(left, draft, parameter) };
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
    const listed = Array.isArray(value) ? these[0].words : null;
    const next = these.length === 1 ? { ...draft, chosen: these[0] } : { ...draft, chosen: null, values: { ...draft.values, [name]: value } };
    return { name, value, words: values[String(value)] ?? listed, draft: next };
  });
}

/** @param {Legal[]} left @param {Types} types @param {Draft} draft @param {Parameter} parameter @returns {Way[]} */
function byCard(left, types, draft, { name, kind }) {
  const lists = left.map(({ action }) => [action[name] ?? []].flat());
  const next = kind === "sequence" ? lists.map(list => list[draft.picked.length]) : lists.flatMap(list => rest(list, draft.picked));
  const cards = distinct(next.filter(each => typeof each === "string"));
  const ways = cards.map(card => {
    const picked = { ...draft, chosen: null, picked: [...draft.picked, card] };
    return { name, value: card, words: null, draft: settle(left, types, picked) };
  });
  const enough = lists.some(list => list.length === draft.picked.length) && draft.picked.length;
  const value = enough ? left.map(({ action }) => action[name]).find(each => [each].flat().length === draft.picked.length) : null;
  return enough ? [...ways, { name, words: null, draft: { ...draft, values: { ...draft.values, [name]: value }, picked: [] } }] : ways;
}

/** @param {Types} types @param {string} type */
function parametersOf(types, type) {
  return types[type]?.parameters ?? [];
}

/** @param {any} value */
function isCards(value) {
  return [value].flat().every(each => typeof each === "string" && isCard(each)) && [value].flat().length > 0;
}

/** @param {string} code */
function isCard(code) {
  return /^([A2-9TJQK][shdc]|Jk|\d+-\d+)$/.test(code);
}

/** @param {any} one @param {any} other */
function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @param {any[]} values */
function distinct(values) {
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()];
}

/** @param {any[]} list @param {any} member */
function count(list, member) {
  return list.filter(each => each === member).length;
}

/** @param {string[]} list @param {string} gone */
function without(list, gone) {
  const at = list.indexOf(gone);
  return list.filter((_, n) => n !== at);
}

/** @param {string[]} list @param {string[]} gone */
function rest(list, gone) {
  return gone.reduce(without, list);
}
