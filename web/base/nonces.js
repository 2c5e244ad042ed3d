// @ts-check
/**
 * This browser's random numbers: one goes into every shuffle of a game, so that the server alone cannot decide how cards fall.
 *
 * @typedef {{tenure: string, nonce: string}} Nonce
 */

import { Problem, isTemporary, post, request } from "./api.js";
import { loadInTab, saveInTab } from "./browser_storage.js";
import { toHex } from "./hexadecimal.js";
import { Polling } from "./polling.js";

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
  const own = { tenure: game.tenure, nonce };
  const sat = ownNonce(game.id) !== null && !isListed(game, own); // the user sits there already, so this one was not needed
  if (!sat) keep(game.id, own);
  return game;
}

/** This browser's nonce in a game, and who brought it; null if it brought none. @param {string} game its id @returns {Nonce | null} */
export function ownNonce(game) {
  const [tenure, nonce] = loadInTab(`nonce.${game}`)?.split(" ") ?? [];
  return nonce ? { tenure, nonce } : null;
}

/** @param {string} game its id @param {Nonce} own */
function keep(game, { tenure, nonce }) {
  saveInTab(`nonce.${game}`, `${tenure} ${nonce}`);
}

/**
 * Brings a nonce to a table that the user has just opened, now that the commitment is known.
 * @param {import("./api.js").Game} game @returns {Promise<import("./api.js").Game>}
 */
export async function bringNonce(game) {
  const nonce = randomNonce();
  keep(game.id, { tenure: game.tenure ?? "", nonce });
  return putNonce(game.id, nonce);
}

/**
 * Sends this browser's nonce until the table has it, while the game has not begun: the first request may have got lost.
 */
export class NonceDelivery {
  /** @type {Polling | null} */
  #tries = null;
  /** Whether the server has taken or refused it: an answer from before that may still be on its way. */
  #answered = false;

  /** @param {(game: import("./api.js").Game) => Promise<void>} show @param {(error: unknown) => void} failed  it is refused */
  constructor(show, failed) {
    this.show = show;
    this.failed = failed;
  }

  /** Sends it if this answer of the server shows that it is missing. @param {import("./api.js").Game} game */
  meet(game) {
    const own = ownNonce(game.id);
    const isMissing = own !== null && game.status === "open" && game.tenure === own.tenure && !isListed(game, own);
    if (!isMissing || this.#answered) this.stop();
    else this.#tries ??= new Polling(() => this.#send(game.id, own.nonce), error => this.#failed(error));
  }

  stop() {
    this.#tries?.stop();
    this.#tries = null;
  }

  /** @param {string} id @param {string} nonce */
  async #send(id, nonce) {
    const game = await putNonce(id, nonce);
    this.#answered = true;
    this.stop();
    await this.show(game);
    return 0;
  }

  /** @param {unknown} error */
  #failed(error) {
    if (error instanceof Problem && isTemporary(error)) return; // it is tried again
    this.#answered = true;
    this.stop();
    this.failed(error);
  }
}

/** @param {string} id @param {string} nonce @returns {Promise<import("./api.js").Game>} */
async function putNonce(id, nonce) {
  return (await request("PUT", `/api/games/${id}/nonce`, { body: { nonce } })).data;
}

/**
 * Whether this browser's nonce went into the shuffles; null where it sent none.
 * @param {import("./api.js").Game} game
 */
export function isNonceUsed(game) {
  const mine = ownNonce(game.id);
  return mine === null ? null : isListed(game, mine);
}

/** @param {import("./api.js").Game} game @param {Nonce} own */
function isListed(game, { tenure, nonce }) {
  return game.nonces.some(each => each.tenure === tenure && each.nonce === nonce);
}
