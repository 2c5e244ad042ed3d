// @ts-check
/**
 * Who is signed in here.
 *
 * @typedef {import("../../base/api.js").Player} Player
 */

import { Problem, get, post, request } from "../../base/api.js";
import { forgetPerson, load, loadInTab, save, saveInTab } from "../../base/browser_storage.js";
import { hasFirstAnswer } from "../../base/first_answers.js";
import { language } from "../../base/words.js";
import { forgetTables } from "./kept_tables.js";
import { forgetSubscription } from "./push_here.js";

/** @type {Player | null} */
let current = null;
/** @type {() => void} */
let changed = () => {};

/** The player who is signed in, or null. */
export function player() {
  return current;
}

/** Calls `then` whenever the player changes. @param {() => void} then */
export function onPlayerChange(then) {
  changed = then;
}

/**
 * Asks the service who is signed in, if anybody was before. Until it answers, and without a connection, the player is as this
 * browser last knew them.
 * @returns {Promise<void>}
 */
export async function loadPlayer() {
  if (!load("player") && !hasFirstAnswer("/api/me")) return;
  current ??= JSON.parse(load("me") ?? "null");
  try {
    setPlayer((await get("/api/me")).player);
  } catch (error) {
    if (!(error instanceof Problem) || ![0, 401].includes(error.status)) throw error;
    if (error.status === 401) setPlayer(null);
  }
}

/** Creates a guest, and keeps their secret link for this tab. @param {string} name */
export async function becomeGuest(name) {
  const invitation = loadInTab("invited") ?? undefined;
  const made = await post("/api/players", { name, language: language(), invitation });
  saveInTab("link", made.link.url);
  setPlayer(made.player);
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

export async function signOut() {
  await request("DELETE", "/api/sign-ins/current");
  forgetPlayer();
}

/** Forgets who was signed in, and what this browser stored for them: keys of tables, drafts, what they have seen. */
export function forgetPlayer() {
  forgetPerson();
  forgetTables();
  forgetSubscription();
  setPlayer(null);
}

/** Sets the player to what the service has just answered. Tables that were kept for somebody else are forgotten. @param {Player | null} who */
export function setPlayer(who) {
  const before = JSON.parse(load("me") ?? "null");
  if (before?.id !== who?.id) forgetTables();
  if (before && before.id !== who?.id) forgetSubscription();
  current = who;
  save("player", who && who.name);
  save("me", who && JSON.stringify(who));
  changed();
}
