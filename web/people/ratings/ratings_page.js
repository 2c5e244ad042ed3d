// @ts-check
/**
 * The user's ratings beside the games that can be played, each with a link to its leaderboard; below, what ratings are.
 *
 * @typedef {{ruleset: string, rating: number, deviation: number, games: number}} Rating
 * @typedef {import("./leaderboard_page.js").DrawStamp} DrawStamp
 */

import { get } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { h, update } from "../../base/dom.js";
import { RATINGS } from "../../base/routes.js";
import { t } from "../../base/words.js";
import { player } from "../sign_in/session.js";
import { drawExplanation, drawNoRating } from "./explanation.js";
import { leaderboardPage } from "./leaderboard_page.js";

/** @param {HTMLElement} main @param {string} slug of the game whose leaderboard is shown; "" for all games @param {DrawStamp} drawStamp */
export function ratingsPage(main, slug, drawStamp) {
  return slug ? leaderboardPage(main, slug, drawStamp) : overview(main, drawStamp);
}

/** @param {HTMLElement} main @param {DrawStamp} drawStamp */
async function overview(main, drawStamp) {
  setTitle(false, t("ratings.title"));
  const isRated = player() !== null && !player()?.guest;
  const found = await attempt(() => Promise.all([get("/api/rulesets"), isRated ? get("/api/me/ratings") : { ratings: [] }]));
  if (!found || !main.isConnected) return;
  const [{ rulesets }, { ratings }] = found;
  /** @type {Map<string, Rating>} */
  const mine = new Map(ratings.map((/** @type {Rating} */ each) => [each.ruleset, each]));
  update(main,
    h("h1", {}, t("ratings.title")),
    h("p", {}, t("ratings.what")),
    mine.size === 0 && drawNoRating(player()),
    h("section", { key: "leaderboards" }, h("h2", {}, t("ratings.leaderboards")),
      h("ul", { className: "tables" }, rulesets.map((/** @type {import("../../base/api.js").RulesetSummary} */ each) => drawGame(each, mine.get(each.slug), drawStamp)))),
    drawExplanation(),
    h("p", { className: "buttons" }, h("a", { className: "button", href: "/me/ratings" }, t("ratings.settings")), h("a", { className: "button", href: "/" }, t("to.lobby"))));
}

/** @param {import("../../base/api.js").RulesetSummary} ruleset @param {Rating | undefined} mine @param {DrawStamp} drawStamp */
function drawGame({ slug, name }, mine, drawStamp) {
  return h("li", { key: slug },
    h("a", { href: `${RATINGS}/${slug}` }, drawStamp(slug),
      h("strong", {}, name),
      h("span", { className: "names" }, mine ? t("leaderboard.own", mine) : t("ratings.leaderboard"))));
}
