// @ts-check
/**
 * Due times: absolute, in the time zone of this browser, and relative.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("../base/api.js").Wait} Wait
 */

import { h } from "../base/dom.js";
import { formatDueTime, timeLeft } from "../base/time_format.js";
import { t } from "../base/words.js";

/** A due time is near when less than this fraction of the time is left. */
const NEAR = 0.25;

/** "until Tue 24 Nov, 14:05 (in 2 days)", or nothing without a clock. @param {Wait | undefined} wait */
export function drawDue(wait) {
  if (!wait?.due) return null;
  return h("span", { className: isNear(wait) ? "due near" : "due" }, h("time", { datetime: wait.due }, dueText(wait.due)));
}

/** @param {string} due */
function dueText(due) {
  return t("due.until", { time: formatDueTime(due), in: timeLeft(due) });
}

/** @param {Wait} wait */
function isNear({ since, due }) {
  const [start, end] = [Date.parse(since), Date.parse(due ?? since)];
  return end - Date.now() < NEAR * (end - start);
}

/** The seat that is due first. @param {Game} game */
export function firstDue({ waiting }) {
  return [...waiting].filter(({ due }) => due).sort((one, other) => Date.parse(one.due ?? "") - Date.parse(other.due ?? ""))[0];
}
