// @ts-check
/** The page of a player: since when, what, how well and how fast; and on one's own, what others see of it. */

import { get, Problem } from "../../base/api.js";
import { loadOrShowNothing, showNothingHere } from "../../base/controls/nothing_here.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { h } from "../../base/dom.js";
import { toPlayer } from "../../base/routes.js";
import { formatDays } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { drawTable } from "./drawings.js";
import { followButton } from "./follow_button.js";
import { playedGames } from "./played_games.js";
import { rulesetNumbers } from "./ruleset_numbers.js";

/**
 * @typedef {{handle: string, name: string, program: boolean, you: boolean, registered_on: string, rulesets: import("./ruleset_numbers.js").Played[],
 *   together: {name: string, games: number, before: number, behind: number}[] | null,
 *   follow: {id: string | null} | null}} PlayerPage  `follow`: null if the user cannot follow them.
 */

/** How many rulesets somebody likes most. */
const FAVOURITES = 3;

/** @param {HTMLElement} main @param {string} handle @param {{game: string, tenure: string} | null} seat of the player at a table, if that is all that is known */
export async function playerPage(main, handle, seat) {
  const path = seat ? `/api/games/${seat.game}/seats/${seat.tenure}/player` : `/api/players/${handle}`;
  const page = await loadOrShowNothing(main, () => find(path));
  if (page === null) return showNothingHere(main, t("player.hidden"), t("player.hidden.why"));
  if (!page) return;
  if (seat) history.replaceState(null, "", toPlayer(page.handle));
  setTitle(false, page.name);
  const numbers = page.rulesets.map(each => rulesetNumbers(page.handle, each, page.you));
  const sections = await Promise.all([...numbers, playedGames(page.handle)]);
  main.replaceChildren(...[drawHead(page), page.you ? drawOwn() : null, drawTogether(page), ...sections].filter(each => each !== null));
}

/** The page; null if there is none for the user. @param {string} path @returns {Promise<PlayerPage | null>} */
async function find(path) {
  try {
    return await get(path);
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

/** @param {PlayerPage} page */
function drawHead(page) {
  const { handle, name, program, you, registered_on: day, rulesets } = page;
  const liked = rulesets.slice(0, FAVOURITES).map(each => each.name).join(t("player.and"));
  return h("header", { id: "player" },
    h("h1", {}, name, program && h("span", { className: "tag" }, t("player.program"))),
    h("p", { className: "soft" }, `${handle} · `, t("player.since", { day: formatDays(day, day) })),
    liked ? h("p", {}, t("player.likes", { games: liked })) : h("p", { className: "soft" }, t(you ? "player.none.own" : "player.none")),
    followButton(page));
}

/** @param {PlayerPage} page */
function drawTogether({ name, together }) {
  if (!together?.length) return null;
  const heads = [t("player.game"), t("player.games"), t("player.before"), t("player.behind", { name })];
  return h("section", { className: "sheet", id: "together" },
    h("h2", {}, t("player.together")),
    drawTable(t("player.together"), heads, together.map(each => [each.name, each.games, each.before, each.behind])));
}

/** What the user's own page says of others, and the way to the settings. */
function drawOwn() {
  return h("section", { className: "sheet", id: "own" },
    h("p", {}, t("player.own")),
    h("div", { className: "buttons" },
      h("a", { className: "button", href: "/me/ratings" }, t("player.for")),
      h("a", { className: "button", href: "/api/me/export", download: "tegami.json" }, t("export-and-erase.export"))));
}
