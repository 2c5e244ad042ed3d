// @ts-check
/**
 * Choosing by pointing at a place on the table: a parameter of kind `position` names one.
 *
 * @typedef {import("./choice.js").Legal} Legal
 * @typedef {import("./choice.js").Types} Types
 * @typedef {import("./choice.js").Draft} Draft
 */

import { parametersOf } from "./actions.js";
import { NOTHING, dissolve, some } from "./choice.js";

/** The name of the parameter by which an action names a place, if it does. @param {Types} types @param {import("./choice.js").Action} action */
export function placeOf(types, action) {
  return parametersOf(types, action.type).find(({ kind, name }) => kind === "position" && action[name] !== undefined)?.name;
}

/** The place that a draft names. @param {Types} types @param {Draft} draft @returns {number | undefined} */
export function placeIn(types, { values, chosen }) {
  if (chosen) return chosen.action[placeOf(types, chosen.action) ?? ""];
  const names = Object.values(types).flatMap(({ parameters }) => parameters.filter(({ kind }) => kind === "position"));
  return names.map(({ name }) => values[name]).find(value => value !== undefined);
}

/**
 * The draft after pointing at a place: taken back if it was this one, else with it instead, else a new beginning.
 * @param {Legal[]} legal @param {Types} types @param {Draft} draft @param {number} place @returns {Draft | null} null: it fits nowhere
 */
export function point(legal, types, draft, place) {
  const open = draft.chosen ? dissolve(types, draft.chosen) : draft;
  const named = legal.find(({ action }) => action[placeOf(types, action) ?? ""] === place);
  const name = named && placeOf(types, named.action);
  if (name === undefined) return null;
  if (placeIn(types, draft) === place) return taken(open, name);
  const ways = [open, { ...NOTHING, type: open.type }, NOTHING].map(({ values, ...rest }) => ({ ...rest, values: { ...values, [name]: place } }));
  return ways.find(each => some(legal, types, each)) ?? null;
}

/** @param {Draft} draft @param {string} name @returns {Draft} */
function taken(draft, name) {
  const { [name]: gone, ...values } = draft.values;
  return { ...draft, values };
}
