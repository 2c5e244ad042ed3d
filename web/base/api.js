// @ts-check
/**
 * Requests to the service, and the types of its answers as openapi.yaml defines them.
 *
 * @typedef {{type: string} & Record<string, any>} Action
 * @typedef {{action: Action, words: string}} Legal
 * @typedef {string | null | {card?: string, is: string[]}} Face  A card as a zone holds it.
 * @typedef {{name: string, seat?: number, index?: number, kind: string, count: number, cards?: Face[], words: string, then?: number}} Zone  `then`: on the page, how many cards it will have
 * @typedef {{name: string, of?: number, index?: number, words: string, short?: string} & Record<string, any>} Fact
 * @typedef {{phase: string, phase_words: string, prompt?: Record<string, any>, prompt_words: string, committed: number[], face_down?: FaceDown[], zones: Zone[], facts: Fact[]}} View
 * @typedef {{of: number, zone: string | null, index?: number, count: number | null, words: string}} FaceDown
 * @typedef {{tenure: string, seat: number | null, name: string, house: boolean, program: Program | null, you: boolean,
 *   waiting: boolean, away: {begins_at: string, ends_at: string} | null, unreachable?: boolean, nonce_missing: boolean, reserve: number | null, extra: number, misses: number}} Seat
 * @typedef {{level: string, version: string, words: string}} Program  A house player; for the program of a person, level and version are null.
 * @typedef {{seat: number, since: string, due: string | null, nudge_from: string | null}} Wait  Times as ISO 8601 in UTC.
 * @typedef {{preset: string | null, kind: string, words: string, detail: string, seconds?: number, reserve?: number,
 *   increment?: number, cap?: number, rest?: {time_zone: string, days: number[], open: string | null, words: string, short: string}}} Pace  Seconds.
 * @typedef {{id: string, kind: string, yours: boolean, due: string, votes: {seat: number, agrees: boolean}[], missing: number[],
 *   asks_you: boolean, words: string}} Proposal
 * @typedef {{stage: string, step: number, steps: number, words: string, said: string | null, action: Action | null}} Lesson
 * @typedef {{winners: number[], scores: (number | null)[], words: string, score_words: (string | null)[]}} Result
 * @typedef {{slug: string, version: number, name: string}} RulesetOfGame
 * @typedef {{id: string, status: "open" | "running" | "over", ruleset: RulesetOfGame, options: Record<string, any>,
 *   players: number, private: boolean, rated: boolean, start: "host" | "full", starts_at: string | null, created_at: string, started_at: string | null, host: string | null, level: string, seats: Seat[],
 *   seat: number | null,
 *   tenure: string | null, waiting: Wait[], number: number, revision: number, head: string | null, head_signature: string | null,
 *   commitment: string, seating: string,
 *   pace: Pace, rest?: {begins_at: string, ends_at: string}, live?: {ready: string[], ready_until: string | null, clock_due: string | null}, takeover: number, paused: {since: string, until: string | null} | null, proposals: Proposal[],
 *   held: {seat: number, back: boolean} | null, nonces: {tenure: string, nonce: string}[], asked: number | null, view: View | null, legal: Legal[], take_back: {event: number, free: boolean} | null, changes?: {event: number, kept: Game}, result: Result | null,
 *   lesson: Lesson | null, deal: string | null, invitation: {url: string, key: string} | null, poll_after: number, ended_at: string | null}} Game
 * @typedef {{id: string, status: string, ruleset: RulesetOfGame, players: number, seated: number, private: boolean, rated: boolean,
 *   free: number, pace: Pace, names: string[], created_at: string, ended_at: string | null, waiting_for_you: boolean, outcome?: string | null}} Summary
 * @typedef {{slug: string, name: string, summary: string, author: string, players: number[],
 *   mood: string, weight: string, cards: string[], decisions: number}} RulesetSummary
 * @typedef {{name: string, kind: string, words: string, values?: Record<string, string>, spot?: Spot | null, usual?: any}} Parameter
 * @typedef {{card?: string | null, zone?: string, seat?: number, index?: number, place?: number}} Touched  What was touched, as the service is asked about it.
 * @typedef {{zone: string | null, by: string}} Spot  What on the table a value means.
 * @typedef {{kind: string, zones: string[], facts: Record<string, string>, own: string | null, ranks?: string[], icon?: string, numbers?: Record<string, number>, sets?: Record<string, string>, title?: string}} Area  A part of the table with a shape of its own.
 * @typedef {{title: string, description?: string, oneOf: {const: any, title: string, live?: boolean}[], default: any, when?: Record<string, any>}} Option
 * @typedef {{words: string, options: Record<string, any>, decisions: number}} Length
 * @typedef {RulesetSummary & {options: Record<string, {properties: Record<string, Option>}>, lengths: Record<string, Length[]>,
 *   actions: Record<string, {words: string, parameters: Parameter[], spot?: Spot | null, usual?: boolean, destroys?: boolean}>, page: string}} Ruleset
 * @typedef {{id: string, name: string, guest: boolean, language: string, handle: string | null, address: string | null,
 *   unverified_address: string | null, verification_number?: string, verification_waits_until?: string, unverified_undelivered?: {why: string, since: string}, has_password: boolean, program: boolean, undelivered: {why: string, since: string} | null, proven_address: string | null}} Player
 * @typedef {{number: number, kind: string, at: string, seat?: number, by?: string, action?: Action | null, opened?: any[], moment?: string | null, news: boolean, lines: Line[], headings?: Heading[], event?: number, undone?: number}} GameEvent
 * @typedef {{line: string, words: string, seat?: number, pieces?: Piece[], outcome?: true, repeats?: true}} Line
 * @typedef {{text: string, seat?: number, card?: string}} Piece
 * @typedef {{name: string, number: number, depth: number, words: string, pieces?: Piece[], above?: number}} Heading  `above`: the index of the line below it
 */

import { loadInTab, saveInTab } from "./browser_storage.js";
import { dropFirstAnswers, takeFirstAnswer } from "./first_answers.js";
import { language } from "./words.js";

/** Milliseconds before a request is given up. */
const TIMEOUT = 20_000;

/** An error, as reported by the service (RFC 9457) or the network. */
export class Problem extends Error {
  /** @param {number} status 0: there was no answer @param {Record<string, any>} body */
  constructor(status, body) {
    super(body.title ?? "");
    this.status = status;
    this.slug = String(body.type ?? "").replace("/problems/", "");
    this.detail = String(body.detail ?? "");
    this.body = body;
  }
}

/** @type {() => void} */
let signInEnded = () => {};

/** Calls `then` when an answer says that whoever was signed in is not any more. @param {() => void} then */
export function onSignInEnded(then) {
  signInEnded = then;
}

/** Whether the same request may succeed later. @param {Problem} problem */
export function isTemporary({ status }) {
  return status === 0 || status === 429 || status >= 500;
}

/**
 * Sends a request.
 * @param {string} method @param {string} path @param {{body?: any, etag?: string | null, wait?: number, signal?: AbortSignal}} [more]  `wait`: for news, in seconds; `signal` gives it up
 * @returns {Promise<{status: number, data: any, etag: string | null}>} Throws a Problem.
 */
export async function request(method, path, more = {}) {
  if (method !== "GET") dropFirstAnswers();
  const first = more.etag ? null : takeFirstAnswer(path, language());
  if (first) return first;
  const response = await send(method, path, more);
  const told = response.headers.get("Content-Type")?.includes("json");
  const data = told ? await orOffline(response.json()) : null;
  if (hasSignInEnded(method, response, data)) signInEnded();
  if (response.status >= 400) throw new Problem(response.status, data ?? { type: "offline" }); // the answer of a proxy
  return { status: response.status, data, etag: response.headers.get("ETag") };
}

/** What a request of the user's own ends is another matter. @param {string} method @param {Response} response @param {any} data */
function hasSignInEnded(method, { status, headers }, data) {
  if (status === 401) return data?.type === "/problems/not-signed-in";
  return method === "GET" && headers.has("Clear-Site-Data");
}

/** @param {string} method @param {string} path @param {{body?: any, etag?: string | null, wait?: number, signal?: AbortSignal}} [more] @returns {Promise<Response>} */
function send(method, path, { body, etag, wait, signal: givenUp } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json", "Accept-Language": language() };
  const invited = loadInTab(`invitation.${path.split("/")[3]}`);
  if (invited) headers.Invitation = invited;
  if (etag) headers["If-None-Match"] = etag;
  if (wait) headers.Prefer = `wait=${wait}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const late = AbortSignal.timeout(TIMEOUT);
  const signal = givenUp ? AbortSignal.any([late, givenUp]) : late; // not all browsers know `any`
  return orOffline(fetch(path, { method, headers, signal, cache: "no-store", body: body && JSON.stringify(body) }));
}

/** @param {string} path */
export async function get(path) {
  return (await request("GET", path)).data;
}

/** Asks for the same again and again: once it was answered, only whether there is something new. */
export class Asking {
  /** By path and language. @type {Map<string, {data: any, etag: string | null}>} */
  #known = new Map();

  /** @param {string} path @returns {Promise<any>} Throws a Problem. */
  async get(path) {
    const key = `${language()} ${path}`;
    const known = this.#known.get(key);
    const answer = await request("GET", path, { etag: known?.etag });
    if (known && answer.status === 304) return known.data;
    this.#known.set(key, answer);
    return answer.data;
  }
}

/** The body of an answer, byte for byte. @param {string} path @returns {Promise<Uint8Array<ArrayBuffer>>} Throws a Problem. */
export async function getBytes(path) {
  const response = await send("GET", path);
  const bytes = new Uint8Array(await orOffline(response.arrayBuffer()));
  if (response.status >= 400) throw new Problem(response.status, {});
  return bytes;
}

/** @param {string} path @param {any} [body] */
export async function post(path, body) {
  return (await request("POST", path, { body })).data;
}

/** Sends this invitation along with every further request about the game. @param {string} game @param {string} key */
export function showInvitation(game, key) {
  saveInTab(`invitation.${game}`, key);
}

/** Whether an invitation is sent along with requests about this game. @param {string} game */
export function hasInvitation(game) {
  return Boolean(loadInTab(`invitation.${game}`));
}

/**
 * A module or a file of words that is loaded when it is needed. If it does not come since the server has another version of the
 * page by now, the page is loaded anew; else throws a Problem. What is wrong in it is thrown as it is.
 * @template T @param {Promise<T>} promise @returns {Promise<T>}
 */
export async function loadModule(promise) {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    if (!await isOutdated()) throw new Problem(0, { type: "offline" });
    if (isBeingWritten() || !mayReload()) throw new Problem(0, { type: "outdated" });
    location.reload();
    return new Promise(() => {}); // nothing of this document is needed any more
  }
}

/** The file in which the server names the files of its version of the page. */
const VERSION = "/service-worker.js";
/** Milliseconds within which a document is loaded anew only once: several servers may have different versions for a while. */
const RELOADED_ONCE_IN = 60_000;

/** Whether the server has other files than those of this document; not if it cannot be reached. */
async function isOutdated() {
  const script = document.querySelector("script[type=module][src]")?.getAttribute("src") ?? "";
  try {
    const response = await fetch(VERSION, { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT) });
    return response.ok && !(await response.text()).includes(script);
  } catch {
    return false;
  }
}

/** Whether the user has begun to write something that would be lost. */
function isBeingWritten() {
  const fields = /** @type {NodeListOf<HTMLTextAreaElement | HTMLInputElement>} */ (document.querySelectorAll("textarea, input:not([type=radio], [type=checkbox], [readonly])"));
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}

function mayReload() {
  const isFirst = Date.now() - Number(loadInTab("reloaded") ?? 0) > RELOADED_ONCE_IN;
  if (isFirst) saveInTab("reloaded", String(Date.now()));
  return isFirst;
}

/** @template T @param {Promise<T>} promise @returns {Promise<T>} */
async function orOffline(promise) {
  try {
    return await promise;
  } catch {
    throw new Problem(0, { type: "offline" });
  }
}
