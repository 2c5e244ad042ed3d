// @ts-check
/** Words: everything that people read here comes from the service's catalogue, by key. */

import { h } from "./dom.js";
import { load } from "./store.js";

export const LANGUAGES = ["en", "ja"];

/** @type {Record<string, string>} */
let messages = {};
let current = "en";

/** The language that was chosen, or else the browser's. */
export function preferred() {
  const wished = [load("language"), ...navigator.languages].map(each => (each ?? "").slice(0, 2));
  return wished.find(each => LANGUAGES.includes(each)) ?? LANGUAGES[0];
}

/** The language of this page. */
export function language() {
  return current;
}

/**
 * Loads the words of a language; from then on everything is said in it.
 * @param {string} wished
 */
export async function speak(wished) {
  const response = await fetch(`/api/words/${wished}`);
  messages = await response.json();
  current = wished;
  document.documentElement.lang = wished;
}

/**
 * The message of this key, with its `{fields}` filled in.
 * @param {string} key @param {Record<string, string | number>} [fields]
 */
export function t(key, fields = {}) {
  const message = messages[`page.${key}`] ?? key;
  return message.replace(/\{(\w+)\}/g, (_, name) => String(fields[name] ?? ""));
}

/** Whether there is a message of this key. @param {string} key */
export function known(key) {
  return `page.${key}` in messages;
}

/**
 * A text of the service with its cards in the colours of their suits; cards and tiles are not torn apart.
 * @param {string} text
 */
export function prose(text) {
  return text.split(/((?:10|[A2-9JQK])?[♠♥♦♣]|\b\d{1,2}-\d{1,2}\b)/).map((part, n) =>
    n % 2 ? h("span", { className: `inline-card suit-${SUITS[part.slice(-1)] ?? "none"}` }, part) : part);
}

/** @type {Record<string, string>} */
const SUITS = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };
