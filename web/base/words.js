// @ts-check
/** Translations: all text comes from the service's catalogue, by key. */

import { load } from "./browser_storage.js";
import { h } from "./dom.js";

export const LANGUAGES = ["en", "ja"];

/** The categories of Unicode's plural rules, in the order of the forms of a message. @type {Intl.LDMLPluralRule[]} */
const PLURALS = ["zero", "one", "two", "few", "many", "other"];

/** @type {Record<string, string>} */
let messages = {};
let current = "en";

/** The language that the user chose, or else the browser's. */
export function preferredLanguage() {
  const wished = [load("language"), ...navigator.languages].map(each => (each ?? "").slice(0, 2));
  return wished.find(each => LANGUAGES.includes(each)) ?? LANGUAGES[0];
}

/** The language of this page. */
export function language() {
  return current;
}

/** How many parts of the words are here: first those that any visit may need, then those of screens that few ever open. */
let parts = 1;

/**
 * Loads the words of a language and switches the page to it.
 * @param {string} wished @param {number} [wanted]  parts
 */
export async function loadLanguage(wished, wanted = parts) {
  const addresses = JSON.parse(document.documentElement.dataset.words ?? "{}");
  const loaded = await Promise.all(addresses[wished].slice(0, wanted).map(loadPart));
  messages = Object.assign({}, ...loaded);
  parts = wanted;
  current = wished;
  document.documentElement.lang = wished;
}

/** @param {string} address @returns {Promise<Record<string, string>>} Throws a TypeError if it does not come, as `import` does. */
async function loadPart(address) {
  const response = await fetch(address);
  if (!response.ok) throw new TypeError(address);
  return response.json();
}

/** Loads the words of all screens. */
export async function loadAllWords() {
  if (parts < 2) await loadLanguage(current, 2);
}

/**
 * The message with this key, its `{fields}` filled in; `{n:count.card}` is the message `count.card`, whose form fits the number, and `{name:name}` is how
 * the language calls people.
 * @param {string} key @param {Record<string, string | number>} [fields]
 */
export function t(key, fields = {}) {
  return fill(messages[`page.${key}`] ?? key, fields);
}

/** @param {string} message @param {Record<string, string | number>} fields @returns {string} */
function fill(message, fields) {
  return message.replace(/\{(\w+)(?::([\w.-]+))?\}/g, (_, name, kind) => {
    const value = String(fields[name] ?? "");
    if (kind?.startsWith("count.")) return counted(Number(value), kind);
    return kind === "name" ? called(value) : value;
  });
}

/** A name in a sentence, with the honorific of a language that has one; none for somebody who has left. @param {string} name */
export function called(name) {
  return name === messages["person.gone"] ? name : fill(messages["person.called"], { name });
}

/** Something counted, in the form that fits the number. @param {number} n @param {string} key */
function counted(n, key) {
  const rules = new Intl.PluralRules(current);
  const known = PLURALS.filter(each => rules.resolvedOptions().pluralCategories.includes(each));
  return fill(messages[`${key}[${known.indexOf(rules.select(n))}]`], { n });
}

/** Whether there is a message with this key. @param {string} key */
export function hasWords(key) {
  return `page.${key}` in messages;
}

/**
 * Colours the cards in a text by suit, and keeps cards and tiles from being broken across lines.
 * @param {string} text
 */
export function colourCards(text) {
  return text.split(/((?:10|[A2-9JQK])?[♠♥♦♣]|\b\d{1,2}-\d{1,2}\b)/).map((part, n) =>
    n % 2 ? h("span", { className: `inline-card suit-${SUITS.find(suit => SUIT_SIGNS[suit] === part.slice(-1)) ?? "none"}` }, part) : part);
}

/** The suits as they stand in codes of cards, and their signs. @type {Record<string, string>} */
export const SUIT_SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
/** Parts of a table that stand for suits are numbered in this order. */
export const SUITS = Object.keys(SUIT_SIGNS);
