// @ts-check
/**
 * A table that is only looked at: an earlier one, one in a page of rules, or one in miniature. Nobody is waited for there, and
 * nothing can be chosen.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").View} View
 * @typedef {import("../../base/api.js").Area} Area
 * @typedef {{ruleset: import("../../base/api.js").RulesetOfGame, names: string[], seat?: number, layout: Area[], view: View, waiting?: number[]}} ShownTable  `seat`: whose hand is seen
 * @typedef {object} Position  An earlier table of a game.
 * @property {View} view
 * @property {Game} game
 * @property {Area[]} layout
 * @property {import("../choosing/narrowing.js").Types} types
 * @property {import("../../talk/talk.js").Talk} talk
 * @property {import("../../cards/zones/fresh_cards.js").TableBefore | null} before  what has changed since then is marked
 * @property {boolean} [open]  whether sealed choices that are known have been turned up
 */

import { h } from "../../base/dom.js";
import { drawMiddle } from "../../cards/areas/middle.js";
import { rememberTable } from "../../cards/zones/fresh_cards.js";
import { arrangeZones } from "../../cards/zones/zone_layout.js";
import { layFaceDown, onlyLookedAt, turnUp } from "../choosing/sealed_choices.js";
import { drawOthers, drawSeat } from "./seats.js";

/** The seats and the middle of an earlier table. @param {Position} position */
export function drawEarlier(position) {
  const screen = { ...lookedAt(position), panelZones: [], opened: null };
  const [me, others] = seatsInOrder(position.game);
  return [drawOthers(screen, others), drawMiddle(screen), me.map(seat => drawSeat(screen, seat))];
}

/** What is drawn of it. @param {Position} position @param {number | null} [me]  whose hand lies apart */
export function lookedAt({ view: seen, game, layout, types, talk, before, open = false }, me = null) {
  const sealed = (open ? turnUp : layFaceDown)(seen, types);
  const { view } = sealed;
  const then = { ...game, result: null, legal: [], waiting: [], seats: game.seats.map(seat => ({ ...seat, waiting: false, away: null })) };
  return { game: then, view, places: arrangeZones(view.zones, me, () => false, layout), before, talk, spots: onlyLookedAt(sealed), pointing: null, sealed, changes: { zones: [], facts: [] } };
}

/** A table that nobody sits at. @param {ShownTable} table @param {View | null} [earlier]  what is new since then is marked */
export function drawShownTable({ ruleset, names, seat = null, layout, view }, earlier = null) {
  const seats = names.map((name, n) => ({ seat: n, tenure: name, name, you: n === seat, house: true, program: null }));
  const game = /** @type {Game} */ (/** @type {unknown} */ ({ id: "", status: "running", ruleset, seats, seat, players: names.length, paused: null, host: null }));
  const nobody = /** @type {import("../../talk/talk.js").Talk} */ (/** @type {unknown} */ (null)); // whom nobody talks to
  return h("div", { className: "still" }, drawEarlier({ view, game, layout, types: {}, talk: nobody, before: earlier && rememberTable(earlier, null, []) }));
}

/** The user's seat, if any, and the others in the order in which they sit. @param {Game} game @returns {[number[], number[]]} */
export function seatsInOrder({ seat: mine, seats: people }) {
  const seats = people.map(({ seat }) => seat ?? 0);
  return [mine === null ? [] : [mine], [...seats.slice((mine ?? -1) + 1), ...seats.slice(0, Math.max(0, mine ?? 0))]];
}
