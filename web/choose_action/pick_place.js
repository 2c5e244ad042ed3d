// @ts-check
/**
 * Picking a place on the table, for parameters of kind `position`.
 *
 * @typedef {import("./narrowing.js").Legal} Legal
 * @typedef {import("./narrowing.js").Types} Types
 * @typedef {import("./narrowing.js").Draft} Draft
 */

import { parametersOf } from "./action_parameters.js";
import { EMPTY_DRAFT, asSeparateDecisions, isPossible } from "./narrowing.js";

/** The name of an action's `position` parameter, if it has one. @param {Types} types @param {import("./narrowing.js").Action} action */
export function placeParameter(types, action) {
  return parametersOf(types, action.type).find(({ kind, name }) => kind === "position" && action[name] !== undefined)?.name;
}

/** The place in a draft. @param {Types} types @param {Draft} draft @returns {number | undefined} */
export function placeInDraft(types, { values, chosen }) {
  if (chosen) return chosen.action[placeParameter(types, chosen.action) ?? ""];
  const names = Object.values(types).flatMap(({ parameters }) => parameters.filter(({ kind }) => kind === "position"));
  return names.map(({ name }) => values[name]).find(value => value !== undefined);
}

/**
 * The draft after a tap on a place: takes it back if it was picked, else picks it instead, else starts over with it.
 * @param {Legal[]} legal @param {Types} types @param {Draft} draft @param {number} place @returns {Draft | null} null: that leads nowhere
 */
export function pickPlace(legal, types, draft, place) {
  const open = draft.chosen ? asSeparateDecisions(types, draft.chosen) : draft;
  const named = legal.find(({ action }) => action[placeParameter(types, action) ?? ""] === place);
  const name = named && placeParameter(types, named.action);
  if (name === undefined) return null;
  if (placeInDraft(types, draft) === place) return withoutPlace(open, name);
  const ways = [open, { ...EMPTY_DRAFT, type: open.type }, EMPTY_DRAFT].map(({ values, ...rest }) => ({ ...rest, values: { ...values, [name]: place } }));
  return ways.find(each => isPossible(legal, types, each)) ?? null;
}

/** @param {Draft} draft @param {string} name @returns {Draft} */
function withoutPlace(draft, name) {
  const { [name]: gone, ...values } = draft.values;
  return { ...draft, values };
}
