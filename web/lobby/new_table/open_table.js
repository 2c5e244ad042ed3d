// @ts-check
/** Opens tables. */

import { get, post } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { bringNonce } from "../../base/nonces.js";
import { goTo, toTable } from "../../base/routes.js";
import { ensurePlayer } from "../../people/sign_in/name_dialog.js";
import { SeenGame } from "../../verify/seen_game.js";

/** Opens a table, in a circle if it has an id, and shows it. @param {Record<string, any>} wish  the body of POST /api/games @param {string} [circle] */
export async function openTable(wish, circle) {
  if (!(await ensurePlayer())) return;
  await attempt(async () => {
    const game = await post(circle ? `/api/circles/${circle}/games` : "/api/games", wish);
    new SeenGame(game.id).saw(game); // before the nonce is brought
    await attempt(() => bringNonce(game));
    goTo(toTable(game.id));
  });
}

/** Starts a game of the shortest length against house players. @param {string} slug @param {number} [fewest]  players; unless it is known */
export async function playNow(slug, fewest) {
  if (!(await ensurePlayer())) return;
  const ruleset = await attempt(() => get(`/api/rulesets/${slug}`));
  if (!ruleset) return;
  const players = fewest ?? ruleset.players[0];
  await openTable({ ruleset: slug, players, options: ruleset.lengths[players][0].options, house: players - 1, start: "full" });
}
