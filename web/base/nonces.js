// @ts-check
/** This browser's random numbers: one goes into every shuffle of a game, so that the server alone cannot decide how cards fall. */

import { post, request } from "./api.js";
import { loadInTab, saveInTab } from "./browser_storage.js";
import { toHex } from "./hexadecimal.js";

/** 128 random bits as lower-case hexadecimal digits. */
export function randomNonce() {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

/**
 * Sends a new nonce along with `body`, and remembers it for the game in the answer.
 * @param {string} path @param {Record<string, any>} [body] @returns {Promise<import("./api.js").Game>}
 */
export async function postWithNonce(path, body = {}) {
  const nonce = randomNonce();
  const game = await post(path, { ...body, nonce });
  const sat = ownNonce(game.id) !== null && !isListed(game, nonce); // the user sits there already, so this one was not needed
  if (!sat) saveInTab(`nonce.${game.id}`, nonce);
  return game;
}

/** This browser's nonce in a game; null if it brought none. @param {string} game its id */
export function ownNonce(game) {
  return loadInTab(`nonce.${game}`);
}

/**
 * Brings a nonce to a table that the user has just opened, now that the commitment is known.
 * @param {import("./api.js").Game} game @returns {Promise<import("./api.js").Game>}
 */
export async function bringNonce(game) {
  const nonce = randomNonce();
  saveInTab(`nonce.${game.id}`, nonce);
  return (await request("PUT", `/api/games/${game.id}/nonce`, { body: { nonce } })).data;
}

/**
 * Whether this browser's nonce went into the shuffles; null where it sent none.
 * @param {import("./api.js").Game} game
 */
export function isNonceUsed(game) {
  const mine = ownNonce(game.id);
  return mine === null ? null : isListed(game, mine);
}

/** @param {import("./api.js").Game} game @param {string} nonce */
function isListed(game, nonce) {
  return game.nonces.some(each => each.nonce === nonce);
}
