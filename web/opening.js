// @ts-check
/** Opening tables and sitting down: with a nonce of one's own, which goes into every shuffle. */

import { get, post } from "./api.js";
import { attempt } from "./notice.js";
import { somebody } from "./player.js";
import { go, toTable } from "./route.js";
import { loadHere, saveHere } from "./store.js";

/**
 * Opens a table as somebody wishes and goes there.
 * @param {Record<string, any>} wish  the body of POST /api/games
 */
export async function openTable(wish) {
  if (!(await somebody())) return;
  await attempt(async () => {
    const nonce = draw();
    const game = await post("/api/games", { ...wish, nonce });
    saveHere(`nonce.${game.id}`, nonce);
    go(toTable(game.id));
  });
}

/** A game against house players, at once and of the shortest length. @param {string} slug @param {number} players */
export async function playNow(slug, players) {
  if (!(await somebody())) return;
  const ruleset = await attempt(() => get(`/api/rulesets/${slug}`));
  if (ruleset) await openTable({ ruleset: slug, players, options: ruleset.lengths[players][0].options, house: players - 1, start: "full" });
}

/** Sits down at an open table. @param {string} id @returns {Promise<import("./api.js").Game | undefined>} */
export async function sitDown(id) {
  if (!(await somebody())) return undefined;
  return attempt(async () => {
    const nonce = draw();
    const game = await post(`/api/games/${id}/seats`, { nonce });
    saveHere(`nonce.${id}`, nonce);
    return game;
  });
}

/** Plays again with the same people: opens that table, or sits down at it. @param {string} id of the game that is over */
export async function playAgain(id) {
  await attempt(async () => {
    const nonce = draw();
    const game = await post(`/api/games/${id}/rematch`, { nonce });
    saveHere(`nonce.${game.id}`, nonce);
    go(toTable(game.id));
  });
}

/**
 * Whether this browser's nonce went into the shuffles; null where it brought none.
 * @param {import("./api.js").Game} game
 */
export function nonceStands(game) {
  const mine = loadHere(`nonce.${game.id}`);
  return mine === null ? null : game.nonces.includes(mine);
}

/** 128 random bits, as lower-case hexadecimal digits. */
export function draw() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");
}
