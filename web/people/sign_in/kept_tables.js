// @ts-check
/**
 * What the user's tables were like when they were last looked at here, kept in this browser so that they can be looked at without
 * a connection. Only the person who saw it is shown it; whoever signs out leaves nothing behind.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").GameEvent} GameEvent
 * @typedef {{player: string, at: number, language: string, game: Game, events: GameEvent[], declared: any}} KeptTable  Whose it is, and when they
 *   saw it, in milliseconds since 1970; in which language; the latest events, and what the ruleset declares.
 */

import { load } from "../../base/browser_storage.js";
import { language } from "../../base/words.js";

const CACHE = "tables";
/** How many tables are kept, and how long one may be, in letters: two megabytes at most. */
const MOST = 20;
const LONGEST = 100_000;

/** What is under way: one change after the other, so that nothing is kept after it was to be forgotten. @type {Promise<any>} */
let changes = Promise.resolve();

/** The id of whoever is signed in in this browser, in any of its tabs. @returns {string | null} */
function whose() {
  return JSON.parse(load("me") ?? "null")?.id ?? null;
}

/** Keeps a table; the key of an invitation is not for later. @param {Game} game @param {GameEvent[]} events @param {any} declared */
export function keepTable(game, events, declared) {
  const player = whose();
  if (!player) return;
  const kept = { player, at: Date.now(), language: language(), game: { ...game, invitation: null }, events, declared };
  change(async cache => {
    if (whose() !== player) return;
    await put(cache, kept);
    const others = (await allIn(cache)).slice(MOST);
    await Promise.all(others.map(each => cache.delete(addressOf(each.game.id))));
  });
}

/** The table of this id as the user last saw it; null if it is not kept. @param {string} id @returns {Promise<KeptTable | null>} */
export async function keptTable(id) {
  return (await keptTables()).find(({ game }) => game.id === id) ?? null;
}

/** The user's tables that are kept, the latest first. @returns {Promise<KeptTable[]>} */
export async function keptTables() {
  const player = whose();
  const all = await change(allIn) ?? [];
  return all.filter(each => each.player === player && each.language === language());
}

/** Forgets all tables. @returns {Promise<any>} */
export function forgetTables() {
  return change(async cache => {
    for (const request of await cache.keys()) await cache.delete(request);
  });
}

/** Makes a change after those under way; if it fails, the next one is made all the same. @template T @param {(cache: Cache) => Promise<T>} what @returns {Promise<T | undefined>} */
function change(what) {
  const made = changes.then(() => inStorage(what));
  changes = made.catch(() => {});
  return made.then(told => told); // a promise of its own, whose failure is reported also where nobody awaits it
}

/**
 * Browsers have this storage where they have workers. It may be full or forbidden: then nothing is kept.
 * @template T @param {(cache: Cache) => Promise<T>} what @returns {Promise<T | undefined>}
 */
async function inStorage(what) {
  if (!("caches" in self)) return undefined;
  try {
    return await what(await caches.open(CACHE));
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** @param {Cache} cache @param {KeptTable} kept */
async function put(cache, kept) {
  const text = JSON.stringify(kept);
  if (text.length > LONGEST) await cache.delete(addressOf(kept.game.id)); // what is kept would no longer be the last
  else await cache.put(addressOf(kept.game.id), new Response(text, { headers: { "Content-Type": "application/json" } }));
}

/** @param {Cache} cache @returns {Promise<KeptTable[]>} the latest first */
async function allIn(cache) {
  const answers = await Promise.all((await cache.keys()).map(request => cache.match(request)));
  /** @type {KeptTable[]} */
  const all = await Promise.all(answers.filter(each => each !== undefined).map(each => each.json()));
  return all.reverse().sort((one, other) => other.at - one.at); // they came in the order in which they were kept
}

/** Nobody answers there: it is a name. @param {string} id */
function addressOf(id) {
  return `/kept/${id}`;
}
