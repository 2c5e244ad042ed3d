// @ts-check
/**
 * Who is signed in here.
 *
 * @typedef {import("../../base/api.js").Player} Player
 */

import { Problem, get, onSignInEnded, post, request } from "../../base/api.js";
import { forgetPerson, forgetPersonInTab, holdSettings, load, loadInTab, onStoredElsewhere, save, saveInTab } from "../../base/browser_storage.js";
import { hasFirstAnswer } from "../../base/first_answers.js";
import { language } from "../../base/words.js";
import { restoreWorker } from "../../base/worker_registration.js";
import { forgetTables } from "./kept_tables.js";
import { forgetSubscription } from "./push_here.js";

/** @type {Player | null} */
let current = null;
/** @type {() => void} */
let changed = () => {};
/** @type {() => void} */
let replaced = () => {};
/** Whether it is being asked who is signed in, after an answer said that the sign-in had ended. */
let noticing = false;

/** The player who is signed in, or null. */
export function player() {
  return current;
}

/** Calls `then` whenever the player changes. @param {() => void} then */
export function onPlayerChange(then) {
  changed = then;
}

/** Calls `then` when it turns out that another player is signed in, or none, without the user having done that in this tab. @param {() => void} then */
export function onPlayerReplaced(then) {
  replaced = then;
  onSignInEnded(noticeEnd);
  onStoredElsewhere("me", noticeOtherTab);
}

/** An answer says that a sign-in has ended. If it came late, somebody else may be signed in by now. */
async function noticeEnd() {
  const before = lastKnown();
  if (!before || noticing) return;
  noticing = true;
  try {
    setPlayer((await get("/api/me")).player);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Without an answer nobody knows; and by now somebody may have signed in here.
    if (error.status === 401 && lastKnown()?.id === before.id) setPlayer(null);
  } finally {
    noticing = false;
  }
  if (current?.id !== before.id) replaced();
}

/** Another tab has stored who is signed in. */
function noticeOtherTab() {
  const other = stored();
  if (!current || other?.id === current.id) return;
  forgetPersonInTab();
  current = other;
  changed();
  replaced();
}

/**
 * Asks the service who is signed in, if anybody was before. Until it answers, and without a connection, the player is as this
 * browser last knew them.
 * @returns {Promise<void>}
 */
export async function loadPlayer() {
  const comesWithCookie = "cookie" in document.documentElement.dataset;
  if (!comesWithCookie && !load("player") && !hasFirstAnswer("/api/me")) return;
  current ??= stored();
  const before = current;
  try {
    setPlayer((await get("/api/me")).player);
    if (before && before.id !== current?.id) replaced();
  } catch (error) {
    if (!(error instanceof Problem) || ![0, 401].includes(error.status)) throw error;
    if (error.status === 401) setPlayer(null);
  }
}

/** Creates a guest, and keeps their secret link for this tab. @param {string} name */
export async function becomeGuest(name) {
  const invitation = loadInTab("invited") ?? undefined;
  const made = await post("/api/players", { name, language: language(), invitation });
  setPlayer(made.player);
  saveInTab("link", made.link.url);
}

/** Signs in with a secret link, a password, or a key from a mail. @param {{key: string} | {who: string, password: string} | {mailed: string}} wish */
export async function signIn(wish) {
  setPlayer((await post("/api/sign-ins", wish)).player);
}

/** Sets a new password with a key from a mail, which also signs in. @param {string} key @param {string} password */
export async function resetPassword(key, password) {
  setPlayer((await post("/api/password-resets", { key, password })).player);
}

/** Registers a guest with the address that their mailed invitation has proven. */
export async function adoptProvenAddress() {
  setPlayer((await post("/api/me/proven-address")).player);
}

export async function forgetProvenAddress() {
  await request("DELETE", "/api/me/proven-address");
  await loadPlayer();
}

/** @param {{name?: string, language?: string, program?: boolean}} change */
export async function changeMe(change) {
  setPlayer((await request("PATCH", "/api/me", { body: change })).data.player);
}

/** Does what ends the user's sign-in, be it here or everywhere: the server has the browser clear everything then. @param {() => Promise<unknown>} end */
export async function signOut(end) {
  const putBack = holdSettings();
  await end();
  putBack();
  setPlayer(null);
  restoreWorker(); // it was cleared too
}

/** Sets the player to what the service has just answered. What was stored for anybody else is forgotten: keys of tables, drafts, what they have seen. @param {Player | null} who */
export function setPlayer(who) {
  const before = lastKnown();
  if (before?.id !== who?.id) forgetTables();
  if (before && before.id !== who?.id) {
    forgetPerson();
    forgetSubscription();
  }
  current = who;
  save("player", who && who.name);
  save("me", JSON.stringify(who)); // other tabs are told of this also where all was cleared before
  if (!who) save("me", null);
  changed();
}

/** Who was signed in up to now, as far as this browser knows. @returns {Player | null} */
function lastKnown() {
  return stored() ?? current;
}

/** Who is signed in by what any tab has stored last. @returns {Player | null} */
function stored() {
  return JSON.parse(load("me") ?? "null");
}
