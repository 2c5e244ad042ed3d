// @ts-check
/** Canonical JSON, as records are written and hashed (RFC 8785, the part of it that docs/record.md names). */

const FRACTION = /^-?(0|[1-9][0-9]{0,8})\.[0-9]{0,3}[1-9]$/;

/** The canonical text of a JSON value. Throws a RangeError for a number or a text that records cannot have. @param {any} value @returns {string} */
export function canonicalText(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value === "number") return numberText(value);
  if (typeof value === "string") return stringText(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map(name => `${stringText(name)}:${canonicalText(value[name])}`).join(",")}}`;
}

/** The value of a canonical text. Throws if it is not JSON, or not canonical. @param {Uint8Array} bytes */
export function parseCanonical(bytes) {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const value = JSON.parse(text);
  if (canonicalText(value) !== text) throw new RangeError("not canonical");
  return value;
}

/** @param {number} value */
function numberText(value) {
  if (Number.isInteger(value) ? !Number.isSafeInteger(value) || Object.is(value, -0) : !FRACTION.test(String(value))) throw new RangeError("number");
  return String(value);
}

/** @param {string} value */
function stringText(value) {
  if (/\p{Surrogate}/u.test(value)) throw new RangeError("half a character");
  return JSON.stringify(value);
}
