// @ts-check
/** What the page of a player draws, each with the same as a table: a rating over time, and the hours of the day. */

import { h, svg } from "../../base/dom.js";
import { formatDays, formatDuration } from "../../base/time_format.js";
import { t } from "../../base/words.js";

/**
 * @typedef {import("../../base/dom.js").Child} Child
 * @typedef {{ended_at: string, place: number, rating: number | null, deviation: number | null}} Point  A rated game.
 * @typedef {{answers_within: number | null, answers: number | null}} Hour
 */

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [320, 140, 40, 18];
/** Seconds: the shortest and the longest time that is told. */
const [SHORTEST, LONGEST] = [10, 345600];
const HOURS = 24;

/** The line of a rating, with a band of its deviation to both sides. @param {Point[]} points the latest first */
export function drawRatingLine(points) {
  const rated = points.filter(each => each.rating !== null).reverse().map(({ ended_at: at, place, rating, deviation }) => ({ day: dayOf(at), place, rating: rating ?? 0, deviation: deviation ?? 0 }));
  if (rated.length < 2) return null;
  const [least, most] = [Math.min(...rated.map(each => each.rating - each.deviation)), Math.max(...rated.map(each => each.rating + each.deviation))];
  const x = (/** @type {number} */ n) => LEFT + (WIDTH - LEFT - 4) * n / (rated.length - 1);
  const y = (/** @type {number} */ value) => 8 + (HEIGHT - BOTTOM - 12) * (most - value) / (most - least || 1);
  const [upper, lower] = [1, -1].map(side => rated.map((each, n) => `${x(n)},${y(each.rating + side * each.deviation)}`));
  const [first, last] = [rated[0], rated[rated.length - 1]];
  return drawing(t("player.rating.line"), t("player.rating.line.ends", { first: first.rating, last: last.rating }), [
    svg("polygon", { points: [...upper, ...lower.reverse()].join(" "), fill: "var(--line)" }),
    svg("polyline", { points: rated.map((each, n) => `${x(n)},${y(each.rating)}`).join(" "), fill: "none", stroke: "currentColor", "stroke-width": 2 }),
    label(LEFT - 4, 14, "end", most), label(LEFT - 4, HEIGHT - BOTTOM, "end", least),
    label(LEFT, HEIGHT - 3, "start", first.day), label(WIDTH - 2, HEIGHT - 3, "end", last.day),
  ], [t("player.day"), t("player.rating"), t("player.place")], rated.map(({ day, rating, deviation, place }) => [day, `${rating} ± ${deviation}`, place]));
}

/** How fast answers come, by the hour of the question: the higher, the slower. @param {Hour[]} hours */
export function drawTimes(hours) {
  const heights = hours.map(({ answers_within: seconds }) => seconds === null ? 0 : .08 + .92 * Math.log(seconds / SHORTEST) / Math.log(LONGEST / SHORTEST));
  const times = hours.map(({ answers_within: seconds }) => seconds === null ? "–" : formatDuration(seconds));
  return drawHours(t("player.hours"), heights, [t("player.hour"), t("player.answers")], times);
}

/** When answers are given. @param {Hour[]} hours of the user's own day */
export function drawPlay(hours) {
  const counts = hours.map(each => each.answers ?? 0);
  const most = Math.max(...counts, 1);
  return drawHours(t("player.play"), counts.map(each => each / most), [t("player.hour"), t("player.given")], counts);
}

/** @param {string} title @param {number[]} heights by hour, from 0 to 1 @param {string[]} heads @param {Child[]} values by hour */
function drawHours(title, heights, heads, values) {
  const step = (WIDTH - 8) / HOURS, tall = HEIGHT / 2;
  const bars = heights.map((height, hour) => height > 0 && svg("rect", { x: 4 + hour * step + 1, y: 4 + tall * (1 - height), width: step - 2, height: tall * height, fill: "currentColor" }));
  const ticks = [0, 6, 12, 18, HOURS].map((hour, n) => label(4 + hour * step, tall + BOTTOM, n === 0 ? "start" : n === 4 ? "end" : "middle", hour));
  const base = svg("path", { d: `M4 ${tall + 4.5}H${WIDTH - 4}`, stroke: "var(--edge)" });
  return drawing(title, "", [...bars, base, ...ticks], heads, values.map((value, hour) => [`${hour}:00`, value]), tall + BOTTOM + 4);
}

/** @param {number} x @param {number} y @param {string} anchor @param {Child} text */
function label(x, y, anchor, text) {
  return svg("text", { x, y, "text-anchor": anchor, "font-size": 12, fill: "var(--ink-soft)" }, text);
}

/** @param {string} title @param {string} said what the drawing says, for who does not see it @param {Child[]} parts @param {Child[]} heads @param {Child[][]} rows @param {number} [height] */
function drawing(title, said, parts, heads, rows, height = HEIGHT) {
  return h("figure", { className: "drawing" },
    h("figcaption", {}, title),
    svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, width: "100%", role: "img", "aria-label": [title, said].filter(Boolean).join(". ") }, parts),
    h("details", {}, h("summary", {}, t("player.as-table")), drawTable(title, heads, rows)));
}

/** A table that is wider than a phone can be moved sideways. @param {string} name @param {Child[]} heads @param {Child[][]} rows */
export function drawTable(name, heads, rows) {
  return h("div", { className: "prose" }, h("div", { className: "wide", tabindex: 0, role: "group", "aria-label": name },
    h("table", {},
      h("thead", {}, h("tr", {}, heads.map(each => h("th", { scope: "col" }, each)))),
      h("tbody", {}, rows.map(row => h("tr", {}, row.map((each, n) => n ? h("td", {}, each) : h("th", { scope: "row" }, each))))))));
}

/** The day of a time, in this browser's zone. @param {string} iso */
export function dayOf(iso) {
  const at = new Date(iso);
  const day = new Date(at.getTime() - at.getTimezoneOffset() * 60000).toISOString().slice(0, 10);
  return formatDays(day, day);
}
