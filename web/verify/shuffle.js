// @ts-check
/** Shuffles that follow from the seed and the players' nonces: derivation 2 of docs/record.md. */

import { concatenated, hmacWith, utf8 } from "./hashing.js";

const DOMAIN = "tegami/shuffle/2";
const WORDS_IN_BLOCK = 8;

/**
 * The shuffles of a game.
 * @param {Uint8Array<ArrayBuffer>} seed @param {string} game @param {string[]} nonces
 * @returns {Promise<(ordinal: number, items: string[]) => Promise<string[]>>} the order that shuffle `ordinal` gives these items; 0 is the seating
 */
export async function shufflesOf(seed, game, nonces) {
  const code = await hmacWith(seed);
  const context = concatenated(...[DOMAIN, game, ...[...nonces].sort()].map(each => part(utf8(each))));
  return async (ordinal, items) => {
    const words = wordsFrom(block => code(concatenated(context, part(bigEndian(ordinal, 8)), part(bigEndian(block, 4)))));
    return shuffled(ordinal === 0 ? [...items] : sortedByBytes(items), words);
  };
}

/** Fisher–Yates, from the end. @param {string[]} items @param {() => Promise<number>} nextWord */
async function shuffled(items, nextWord) {
  for (let i = items.length - 1; i > 0; i--) {
    const j = await below(i + 1, nextWord);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

/** A number below n, each as likely as the others. @param {number} n @param {() => Promise<number>} nextWord */
async function below(n, nextWord) {
  const most = 2 ** 32 - (2 ** 32 % n);
  for (;;) {
    const word = await nextWord();
    if (word < most) return word % n;
  }
}

/** Words of 32 bits, from one block after the other. @param {(block: number) => Promise<Uint8Array<ArrayBuffer>>} blockAt */
function wordsFrom(blockAt) {
  let taken = 0;
  let view = new DataView(new ArrayBuffer(0));
  return async () => {
    if (taken % WORDS_IN_BLOCK === 0) view = new DataView((await blockAt(taken / WORDS_IN_BLOCK)).buffer);
    return view.getUint32((taken++ % WORDS_IN_BLOCK) * 4);
  };
}

/** Preceded by its length. @param {Uint8Array} bytes */
function part(bytes) {
  return concatenated(bigEndian(bytes.length, 4), bytes);
}

/** @param {number} value @param {number} length */
function bigEndian(value, length) {
  const view = new DataView(new ArrayBuffer(length));
  view.setUint32(length - 4, value);
  return new Uint8Array(view.buffer);
}

/** A sorted copy, by the bytes of UTF-8; that is the order of code points, which that of JavaScript is not. @param {string[]} items */
function sortedByBytes(items) {
  const points = new Map(items.map(each => [each, [...each].map(letter => letter.codePointAt(0) ?? 0)]));
  return [...items].sort((one, other) => compare(points.get(one) ?? [], points.get(other) ?? []));
}

/** @param {number[]} one @param {number[]} other */
function compare(one, other) {
  const at = one.findIndex((point, n) => point !== other[n]);
  return at < 0 ? one.length - other.length : one[at] - (other[at] ?? -1);
}
