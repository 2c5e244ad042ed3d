// @ts-check
/**
 * Helpers for the game that the service describes.
 *
 * @typedef {import("./api.js").Game} Game
 *
 * @typedef {object} GameOnScreen
 * @property {string} path  The game's path in the API.
 * @property {(request: () => Promise<Game | undefined>) => Promise<void>} change  Sends a request and shows the game in its answer;
 *   undefined: fetches the game. A problem is shown.
 * @property {() => void} redraw
 */

import { t } from "./words.js";

/** The name of the player in a seat as it stands in a sentence, where a house player or a program is said to be one. @param {Game} game @param {number} seat */
export function seatName(game, seat) {
  const who = game.seats.find(each => each.seat === seat);
  if (!who?.program) return who?.name ?? "";
  return who.house ? t("house.called", { name: who.name }) : t("program.called", { name: who.name });
}

/** Whether the user decided on an event: not a house player in the same seat, nor the rules when time had run out. @param {import("./api.js").GameEvent} event @param {number | null} me */
export function isOwnAction({ kind, seat, by = "seat" }, me) {
  return kind === "action" && seat === me && by === "seat";
}

/** Whether the user is asked, and does not only have something to do while others are. @param {Game} game */
export function isAsked(game) {
  return game.legal.length > 0 && (game.waiting.length === 0 || game.waiting.some(({ seat }) => seat === game.seat));
}

/** Whether the user is to say that they are there, at a table that is played live. @param {Game} game */
export function isChecked({ live, tenure }) {
  return Boolean(live?.ready_until) && tenure !== null && !live?.ready.includes(tenure);
}

/** Whether the user is called to the table, also from another tab. @param {Game} game */
export function isCalled(game) {
  return isAsked(game) || isChecked(game);
}

/** Whether the user is the host. @param {Game} game */
export function isHost(game) {
  return game.tenure !== null && game.tenure === game.host;
}
