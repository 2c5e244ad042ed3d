// @ts-check
/** Digests, authentication codes and signatures, by the browser's own cryptography. */

import { fromHex, toHex } from "../base/hexadecimal.js";

/** The field of the curve, and y of its points of small order: for such a key, anybody can make signatures. */
const PRIME = 2n ** 255n - 19n;
const ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const SMALL_ORDERS = [0n, 1n, PRIME - 1n, ORDER_8, PRIME - ORDER_8];
const SHA_256 = { name: "SHA-256" };

/** Whether this browser can compute digests: it does not on pages that came without https. */
export function canHash() {
  return globalThis.crypto?.subtle !== undefined;
}

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest(SHA_256, bytes));
}

/** Makes HMAC-SHA-256 codes with this key. @param {Uint8Array<ArrayBuffer>} key @returns {Promise<(message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>>} */
export async function hmacWith(key) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: SHA_256 }, false, ["sign"]);
  return async message => new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

/**
 * Checks signatures by this public key (Ed25519); null if this browser does not know them.
 * @param {string} key @returns {Promise<((message: string, signature: string) => Promise<boolean>) | null>}
 */
export async function signaturesBy(key) {
  if (isWeak(key)) return async () => false;
  try {
    const imported = await crypto.subtle.importKey("raw", fromHex(key), { name: "Ed25519" }, false, ["verify"]);
    return (message, signature) => crypto.subtle.verify({ name: "Ed25519" }, imported, fromHex(signature), utf8(message));
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotSupportedError") return null;
    return async () => false; // no point of the curve
  }
}

/** Whether nobody can own this public key alone. @param {string} key */
function isWeak(key) {
  const y = BigInt.asUintN(255, BigInt(`0x${toHex(fromHex(key).reverse())}`));
  return y >= PRIME || SMALL_ORDERS.includes(y);
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function utf8(text) {
  return /** @type {Uint8Array<ArrayBuffer>} */ (new TextEncoder().encode(text));
}

/** @param {Uint8Array[]} parts @returns {Uint8Array<ArrayBuffer>} */
export function concatenated(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
