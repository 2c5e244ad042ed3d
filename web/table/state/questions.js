// @ts-check
/**
 * What the service asks the user.
 *
 * @typedef {import("../../base/api.js").Game} Game
 */

/** Whether the user is asked, and does not only have something to do while others are. @param {Game} game */
export function isAsked(game) {
  return game.legal.length > 0 && (game.waiting.length === 0 || game.waiting.some(({ seat }) => seat === game.seat));
}

/** Whether a draft no longer fits because the question has changed. @param {Game | null} was @param {Game} game */
export function isNewQuestion(was, game) {
  return game.asked !== was?.asked || JSON.stringify(game.legal) !== JSON.stringify(was?.legal);
}
