// @ts-check
/**
 * What this browser was shown of a game, and what it sent, kept until the record can be held against it: in the form of the file
 * for `tegami verify --seen` (docs/record.md).
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("./check_record.js").Seen} Seen
 * @typedef {import("./check_record.js").Nonce} Nonce
 * @typedef {{at: number, verified: boolean, seen: Partial<Seen> & {format: string, game: string, heads: Seen["heads"], actions: Seen["actions"]}}} Kept
 *   When it was last written, whether the record has been verified since, and the file.
 */

import { get } from "../base/api.js";
import { load, save, storedKeys } from "../base/browser_storage.js";
import { ownNonce } from "../base/nonces.js";

const FORMAT = "tegami-seen/1";
/** Of how many games this is kept; the browser gives a site room for about five million letters. */
const MOST_GAMES = 20;
/** Milliseconds after which a game is forgotten in which nothing happened. */
const FORGOTTEN_AFTER = 400 * 24 * 3600_000;

/** What was seen of one game. */
export class SeenGame {
  /** The answers that are stored already: numbers with digests, and revisions before the start. @type {Set<string>} */
  #stored = new Set();
  /** @type {Promise<void> | null} */
  #key = null;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
  }

  /** Keeps the head that this answer of the server shows. @param {Game} game */
  saw(game) {
    this.#key ??= this.#fetchKey();
    const { number, head, head_signature: signature } = game;
    const answer = game.status === "open" ? `open ${game.revision}` : `${number} ${head}`;
    if (this.#stored.has(answer)) return;
    this.#stored.add(answer);
    this.#change(seen => {
      seen.commitment ??= game.commitment;
      if (game.status === "open") keepTable(seen, game);
      seen.nonces = together(seen.nonces, [...game.nonces, ...acknowledged(game)]);
      const known = seen.heads.some(each => each.number === number && each.head === head);
      if (head && signature && !known) seen.heads.push({ number, head, signature });
    });
  }

  /** Keeps an action of the user's that became event `number`. @param {number} number @param {number} seat @param {any} action */
  sent(number, seat, action) {
    this.#change(({ actions }) => {
      if (!actions.some(each => each.number === number)) actions.push({ number, seat, action });
    });
  }

  /** Everything that is kept. @returns {Promise<Seen>} */
  async all() {
    await this.#key;
    const { key = null, commitment = null, nonce = null, agreed = {}, sat = [], nonces = [], heads, actions } = this.#read().seen;
    return { key, commitment, nonce, agreed, sat, nonces, heads, actions };
  }

  /** The record was verified: from now on this may make room for other games. */
  verified() {
    const kept = this.#read();
    if (!kept.verified) this.#write({ ...kept, verified: true });
  }

  /** The key of the server as it was when this browser first saw the game. */
  async #fetchKey() {
    if (this.#read().seen.key) return;
    try {
      const { key } = await get("/api/key");
      this.#change(seen => {
        seen.key ??= key;
      });
    } catch {
      this.#key = null; // with the next answer again
    }
  }

  /** @param {(seen: Kept["seen"]) => void} change */
  #change(change) {
    const { seen } = this.#read();
    change(seen);
    this.#write({ at: Date.now(), verified: false, seen });
  }

  /** Another tab may have written since. @returns {Kept} */
  #read() {
    return readKept(this.id) ?? { at: 0, verified: false, seen: { format: FORMAT, game: this.id, heads: [], actions: [] } };
  }

  /** @param {Kept} kept */
  #write(kept) {
    const key = `shown.${this.id}`;
    if (load(key) === null) makeRoom(this.id, MOST_GAMES - 1);
    if (save(key, JSON.stringify(kept))) return;
    makeRoom(this.id, 0);
    save(key, JSON.stringify(kept));
  }
}

/** Keeps what is agreed on at a table before the start, and who sits there: whoever comes later sits behind. @param {Kept["seen"]} seen @param {Game} game */
function keepTable(seen, { ruleset, players, options, seating, seats }) {
  seen.agreed ??= { ruleset: ruleset.slug, version: ruleset.version, players, options, seating };
  seen.sat = [...new Set([...(seen.sat ?? []), ...seats.map(({ tenure }) => tenure)])];
}

/** @param {Nonce[] | undefined} known @param {Nonce[]} told */
function together(known = [], told) {
  const all = [...known, ...told].map(({ tenure, nonce }) => /** @type {const} */ ([`${tenure} ${nonce}`, { tenure, nonce }]));
  return [...new Map(all).values()];
}

/** This browser's nonce, with the tenure that brought it, once the server has listed it, be it as somebody else's. @param {Game} game */
function acknowledged({ id, nonces }) {
  const own = ownNonce(id);
  return own !== null && nonces.some(({ nonce }) => nonce === own.nonce) ? [own] : [];
}

/** @param {string} id @returns {Kept | null} */
function readKept(id) {
  try {
    const kept = JSON.parse(load(`shown.${id}`) ?? "null");
    return kept?.seen ? kept : null;
  } catch {
    return null;
  }
}

/** Forgets games other than this one: those that are old, and beyond `most` first those that were verified. @param {string} id @param {number} most */
function makeRoom(id, most) {
  const others = storedKeys("shown.").map(key => key.slice("shown.".length)).filter(each => each !== id);
  const now = Date.now();
  const ranked = others.map(each => ({ id: each, kept: readKept(each) })).sort((one, other) => rank(other.kept) - rank(one.kept));
  for (const [n, { id: each, kept }] of ranked.entries()) if (n >= most || now - (kept?.at ?? 0) > FORGOTTEN_AFTER) save(`shown.${each}`, null);
}

/** Higher for what is to be kept longer. @param {Kept | null} kept */
function rank(kept) {
  return kept ? kept.at - (kept.verified ? FORGOTTEN_AFTER : 0) : 0;
}
