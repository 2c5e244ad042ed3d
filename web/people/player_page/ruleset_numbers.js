// @ts-check
/** What somebody has played of one ruleset: numbers, and their drawings. */

import { get } from "../../base/api.js";
import { levelName } from "../../base/controls/level_choice.js";
import { h } from "../../base/dom.js";
import { RATINGS } from "../../base/routes.js";
import { formatDuration } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { drawPlay, drawRatingLine, drawTimes } from "./drawings.js";

/**
 * @typedef {{ruleset: string, name: string, games: number, places: number[], score: {own: number, table: number} | null, decisions: number,
 *   missed_per_hundred: number | null, answers_within: number | null, hours: import("./drawings.js").Hour[] | null, beaten: string | null,
 *   rating: {rating: number, deviation: number} | null, close: number | null}} Played
 */

/** @param {string} handle @param {Played} played @param {boolean} own */
export async function rulesetNumbers(handle, played, own) {
  const points = played.rating ? await get(`/api/players/${handle}/ratings/${played.ruleset}?limit=100`).catch(() => null) : null;
  const { hours } = played;
  return h("section", { className: "sheet" },
    h("h2", {}, h("a", { href: `/rules/${played.ruleset}` }, played.name)),
    h("dl", { className: "pairs" }, pairs(played).map(([term, value]) => [h("dt", {}, term), h("dd", {}, value)])),
    points && drawRatingLine(points.games),
    hours && drawTimes(hours),
    hours && own && drawPlay(hours));
}

/** @param {Played} played @returns {[string, import("../../base/dom.js").Child][]} */
function pairs({ ruleset, games, places, score, missed_per_hundred: missed, answers_within: within, beaten, rating, close }) {
  const taken = places.map((count, n) => ({ count, place: n + 1 })).filter(each => each.count);
  /** @type {[string, import("../../base/dom.js").Child][]} */
  const all = [
    [t("player.games"), games],
    [t("player.places"), taken.map(({ count, place }) => t("player.times", { place, count })).join(t("player.and"))],
    [t("player.score"), score && t("player.score.of", { own: score.own, table: score.table })],
    [t("player.close"), close],
    [t("player.rating"), rating && h("a", { href: `${RATINGS}/${ruleset}` }, `${rating.rating} ± ${rating.deviation}`)],
    [t("player.answers"), within !== null && t("player.answers.within", { time: formatDuration(within) })],
    [t("player.missed"), missed !== null && t("player.missed.of", { count: missed })],
    [t("player.beaten"), beaten && levelName(beaten)],
  ];
  return all.filter(([, value]) => value !== null && value !== false && value !== "");
}
