// @ts-check
/** Where else it is the reader's turn. */

import { get } from "./api.js";
import { player } from "./player.js";

/** Another table that waits for the reader, once nothing is left to do at this one. @param {import("./api.js").Game} game @returns {Promise<import("./api.js").Summary | null>} */
export async function nextTable(game) {
  if (!player() || game.legal.length) return null;
  const { turns } = await get("/api/me/turns");
  return turns.map((/** @type {any} */ turn) => turn.game).find((/** @type {any} */ each) => each.id !== game.id) ?? null;
}
