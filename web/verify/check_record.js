// @ts-check
/**
 * Checks the record of a finished game without the server: its digests, shuffles and signatures, and that it is the game that
 * this browser was shown and played. The rules are not checked; `tegami verify` does that too.
 *
 * @typedef {{number: number, head: string, signature: string}} SeenHead  Hexadecimal.
 * @typedef {{number: number, seat: number, action: any}} SentAction
 * @typedef {{tenure: string, nonce: string}} Nonce
 * @typedef {{key: string | null, commitment: string | null, nonce: string | null, agreed: Record<string, any>, sat: string[], nonces: Nonce[],
 *   heads: SeenHead[], actions: SentAction[]}} Seen
 * @typedef {{events: number, shuffles: number, heads: number, actions: number, signed: boolean}} Counts
 *   What was checked; `signed`: signatures too.
 */

import { fromHex, toHex } from "../base/hexadecimal.js";
import { canonicalText, parseCanonical } from "./canonical_json.js";
import { concatenated, sha256, signaturesBy, utf8 } from "./hashing.js";
import { shufflesOf } from "./shuffle.js";
import { wrongTakeBack } from "./take_backs.js";

const FORMAT = "tegami-record/2";
const OLDER_FORMAT = "tegami-record/1";
/** Besides `programs`. */
const MEMBERS = ["digest", "events", "format", "game", "head", "key", "result", "seed", "signature"];
const MOST_NONCES = 64;
/** After so many events the page may draw and answer. */
const CHUNK = 32;

/** What a record has to be before anything is computed from it. @type {Record<string, RegExp>} */
const FORMS = {
  game: /^g_[0-9A-Za-z]+$/, seed: /^[0-9a-f]{64}$/, head: /^[0-9a-f]{64}$/, key: /^[0-9a-f]{64}$/, signature: /^[0-9a-f]{128}$/, digest: /^[0-9a-f]{64}$/,
};

/** What replaces the id of a game in the shuffles of a daily deal. */
const DEAL = /^daily-[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** What is told of a house player. @type {Record<string, RegExp>} */
const PROGRAM_FORMS = { tenure: /^t_[0-9A-Za-z]+$/, name: /^[a-z]{1,16}$/, level: /^[a-z]{1,16}$/, version: /^[0-9]{1,8}$/ };

/** The record does not fit: `what` names the words that say how, `number` the event. */
export class Mismatch extends Error {
  /** @param {string} what @param {number} [number] */
  constructor(what, number) {
    super(number === undefined ? what : `${what} ${number}`);
    this.what = what;
    this.number = number;
  }
}

/** The record is of an earlier format, which this page cannot check. */
export class OlderRecord extends Error {}

/**
 * Checks a record. Throws a Mismatch or an OlderRecord.
 * @param {Uint8Array<ArrayBuffer>} bytes  as downloaded @param {string} game  its id @param {Seen} seen @returns {Promise<Counts>}
 */
export async function checkRecord(bytes, game, seen) {
  const record = parsed(bytes);
  demand(record.game === game, "game");
  await checkDigest(record);
  const heads = await chain(record.events);
  demand(heads[heads.length - 1] === record.head, "head");
  const shuffles = await checkShuffles(record);
  const wrong = wrongTakeBack(record.events);
  demand(wrong === null, "void", wrong ?? 0);
  const signed = await checkSeen(record, heads, seen);
  return { events: record.events.length, shuffles, heads: seen.heads.length, actions: seen.actions.length, signed };
}

/** @param {boolean} holds @param {string} what @param {number} [number] @returns {asserts holds} */
function demand(holds, what, number) {
  if (!holds) throw new Mismatch(what, number);
}

/** @param {Uint8Array} bytes */
function parsed(bytes) {
  let record;
  try {
    record = parseCanonical(bytes);
  } catch {
    throw new Mismatch("form");
  }
  if (record?.format === OLDER_FORMAT) throw new OlderRecord();
  demand(record?.format === FORMAT && Object.keys(record).filter(name => name !== "programs").sort().join() === MEMBERS.join(), "form");
  demand(Object.entries(FORMS).every(([name, form]) => typeof record[name] === "string" && form.test(record[name])), "form");
  demand(Array.isArray(record.events) && record.events.every(isEvent) && isStart(record.events[0]), "form");
  demand(!("programs" in record) || arePrograms(record.programs, record.events), "form");
  return record;
}

/** @param {any} event @param {number} n */
function isEvent(event, n) {
  return typeof event === "object" && event?.number === n + 1 && (event.kind === "start") === (n === 0) && (event.kind !== "chance" || isTexts(event.outcome));
}

/** @param {any} start */
function isStart(start) {
  const nonces = start?.nonces;
  return isTexts(start?.sat) && isTexts(start.seats) && (!("deal" in start) || DEAL.test(start.deal)) && Array.isArray(nonces) && nonces.length <= MOST_NONCES && nonces.every(each => typeof each?.nonce === "string");
}

/** Whether each house player who held a seat is described, in the order in which they came to it. @param {any} programs @param {any[]} events */
function arePrograms(programs, [start, ...later]) {
  if (!Array.isArray(programs) || !programs.length || !programs.every(isProgram) || !Array.isArray(start.house)) return false;
  const came = start.seats.filter((/** @type {string} */ _, /** @type {number} */ seat) => start.house[seat] === true);
  const stoodIn = later.filter(({ kind, house }) => kind === "handover" && house === true).map(({ to }) => to);
  return programs.map(({ tenure }) => tenure).join() === [...came, ...stoodIn].join();
}

/** @param {any} program */
function isProgram(program) {
  return typeof program === "object" && program !== null && Object.keys(program).sort().join() === Object.keys(PROGRAM_FORMS).sort().join() &&
    Object.entries(PROGRAM_FORMS).every(([name, form]) => typeof program[name] === "string" && form.test(program[name]));
}

/** @param {any} list */
function isTexts(list) {
  return Array.isArray(list) && list.every(each => typeof each === "string");
}

/** @param {any} record */
async function checkDigest({ digest, ...rest }) {
  demand(toHex(await sha256(utf8(canonicalText(rest)))) === digest, "digest");
}

/** The digests of the events, each with all before it; at 0 stands that of none. @param {any[]} events */
async function chain(events) {
  const heads = [toHex(new Uint8Array(32))];
  for (const [n, event] of events.entries()) {
    heads.push(toHex(await sha256(concatenated(fromHex(heads[n]), utf8(canonicalText(event))))));
    if (n % CHUNK === CHUNK - 1) await yieldToMain();
  }
  return heads;
}

/** The seed is the committed one, and all shuffles follow from it. @param {any} record @returns {Promise<number>} how many there are */
async function checkShuffles({ seed, game, events }) {
  const start = events[0];
  demand(start.game === game, "game");
  demand(toHex(await sha256(fromHex(seed))) === start.commitment, "seed");
  const shuffle = await shufflesOf(fromHex(seed), start.deal ?? game, start.nonces.map((/** @type {Nonce} */ each) => each.nonce));
  const seats = start.seating === "random" ? await shuffle(0, start.sat) : start.sat;
  demand(start.seats.join() === seats.join(), "seats");
  const chances = events.filter((/** @type {any} */ event) => event.kind === "chance");
  for (const [n, { number, outcome }] of chances.entries()) {
    demand(canonicalText(await shuffle(n + 1, outcome)) === canonicalText(outcome), "shuffle", number);
    await yieldToMain();
  }
  return chances.length;
}

/** The record is that of the game which this browser was shown. @param {any} record @param {string[]} heads @param {Seen} seen */
async function checkSeen(record, heads, seen) {
  const [start] = record.events;
  demand(seen.key === null || seen.key === record.key, "key");
  demand(seen.commitment === null || seen.commitment === start.commitment, "commitment");
  demand(seen.nonce === null || start.nonces.some((/** @type {Nonce} */ each) => each.nonce === seen.nonce), "nonce");
  demand(Object.entries(seen.agreed).every(([name, value]) => canonicalText(start[name] ?? null) === canonicalText(value)), "agreed");
  const stayed = seen.sat.filter(tenure => start.sat.includes(tenure));
  demand(stayed.every((tenure, n) => start.sat[n] === tenure), "sat"); // who came later sits behind them
  demand(seen.nonces.every(({ tenure, nonce }) => start.nonces.some((/** @type {Nonce} */ each) => each.tenure === tenure && each.nonce === nonce)), "nonces");
  for (const { number, head } of seen.heads) demand(heads[number] === head, "event", number);
  for (const { number, seat, action } of seen.actions) demand(isAction(record.events[number - 1], seat, action), "action", number);
  return checkSignatures(record, seen);
}

/** @param {any} event @param {number} seat @param {any} action */
function isAction(event, seat, action) {
  return event?.kind === "action" && event.seat === seat && event.by === "seat" && canonicalText(event.action) === canonicalText(action);
}

/** Whether they could be checked; that of the record, and those of the heads seen. @param {any} record @param {Seen} seen */
async function checkSignatures({ game, key, head, signature, events }, seen) {
  const isSigned = await signaturesBy(key);
  if (!isSigned) return false;
  demand(await isSigned(signedText(game, events.length, head), signature), "signature");
  for (const [n, each] of seen.heads.entries()) {
    demand(await isSigned(signedText(game, each.number, each.head), each.signature), "signature-seen", each.number);
    if (n % CHUNK === CHUNK - 1) await yieldToMain();
  }
  return true;
}

/** @param {string} game @param {number} number @param {string} head */
function signedText(game, number, head) {
  return canonicalText({ format: "tegami-head/1", game, head, number });
}

/** Lets the page draw and answer. */
function yieldToMain() {
  return new Promise(resume => {
    setTimeout(resume);
  });
}
