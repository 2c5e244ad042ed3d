// @ts-check
/**
 * Downloads the record of a finished game and holds it against what this browser has seen. This and what it needs is loaded
 * once a game is over.
 *
 * @typedef {import("./check_record.js").Counts} Counts
 */

import { getBytes } from "../base/api.js";
import { Mismatch, OlderRecord, checkRecord } from "./check_record.js";
import { canHash } from "./hashing.js";

/** Throws a Problem. @param {string} id of the game @param {import("./seen_game.js").SeenGame} seen @returns {Promise<{counts: Counts} | {mismatch: Mismatch} | "older" | "insecure">} */
export async function verifyGame(id, seen) {
  if (!canHash()) return "insecure";
  try {
    const counts = await checkRecord(await getBytes(`/api/games/${id}/record`), id, await seen.all());
    seen.verified();
    return { counts };
  } catch (error) {
    if (error instanceof Mismatch) return { mismatch: error };
    if (error instanceof OlderRecord) return "older";
    throw error;
  }
}
