// @ts-check
/** What a visitor has solved, or has had shown: stored in this browser, since the server stores nothing of visitors. */

import { load, save } from "../../base/browser_storage.js";

const STORED = "puzzles";

/** How far the user has come with a puzzle: what the server knows, otherwise what this browser does. @param {string} id @param {string} state  the server's @returns {string} */
export function stateOf(id, state) {
  return state === "new" ? stored()[id] ?? state : state;
}

/** Remembers how somebody has come along of whom the server stores nothing: what was first stays. @param {string} id @param {string} state */
export function rememberHere(id, state) {
  const known = stored();
  if (!known[id]) save(STORED, JSON.stringify({ ...known, [id]: state }));
}

/** @returns {Record<string, string>} */
function stored() {
  try {
    return Object(JSON.parse(load(STORED) ?? "{}"));
  } catch {
    return {}; // not written by this page
  }
}
