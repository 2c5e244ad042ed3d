// @ts-check
/** This browser's random numbers: one goes into every shuffle of a game, so that the server alone cannot decide how cards fall. */

import { post } from "./api.js";
import { loadInTab, saveInTab } from "./browser_storage.js";

/** 128 random bits as lower-case hexadecimal digits. */
export function randomNonce() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Sends a new nonce along with `body`, and remembers it for the game in the answer.
 * @param {string} path @param {Record<string, any>} [body] @returns {Promise<import("./api.js").Game>}
 */
export async function postWithNonce(path, body = {}) {
  const nonce = randomNonce();
  const game = await post(path, { ...body, nonce });
  saveInTab(`nonce.${game.id}`, nonce);
  return game;
}

/** This browser's nonce in a game; null if it brought none. @param {string} game its id */
export function ownNonce(game) {
  return loadInTab(`nonce.${game}`);
}

/**
 * Whether this browser's nonce went into the shuffles; null where it sent none.
 * @param {import("./api.js").Game} game
 */
export function isNonceUsed(game) {
  const mine = ownNonce(game.id);
  return mine === null ? null : game.nonces.some(each => each.nonce === mine);
}
