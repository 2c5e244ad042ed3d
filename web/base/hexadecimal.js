// @ts-check
/** Bytes as lower-case hexadecimal digits. */

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} digits @returns {Uint8Array<ArrayBuffer>} */
export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], pair => Number.parseInt(pair, 16));
}
