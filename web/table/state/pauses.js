// @ts-check
/** How long to wait before asking for a game again: seconds while a turn may come soon, minutes at a slow table, never when it is over. */

/** The shortest pause, the longest at a table where nothing happens, and the longest while people agree on something, in seconds. */
const SHORTEST = 0.5;
const LONGEST = 180;
const AGREEING = 5;
/** Of the time for which nobody has moved, and of the time until one's time is up, this part is a pause. */
const PART_OF_QUIET = 60;
const PART_OF_TIME_LEFT = 20;

/** @param {import("../../base/api.js").Game | null} game @param {number} now  milliseconds since 1970 @returns {number} seconds; Infinity: nothing can change */
export function pauseAt(game, now) {
  if (!game) return SHORTEST;
  if (game.status === "over") return Infinity;
  const soonest = Math.max(SHORTEST, game.poll_after);
  if (game.paused) return Math.max(soonest, AGREEING);
  const moved = [game.started_at ?? game.created_at, ...game.waiting.map(({ since }) => since)].map(time => Date.parse(time ?? ""));
  const left = game.waiting.flatMap(({ due }) => (due ? [Date.parse(due) - now] : []));
  const quiet = (now - Math.max(...moved)) / 1000 / PART_OF_QUIET;
  const longest = game.proposals.length ? AGREEING : LONGEST;
  return Math.max(soonest, Math.min(quiet, longest, ...left.map(each => each / 1000 / PART_OF_TIME_LEFT)));
}
