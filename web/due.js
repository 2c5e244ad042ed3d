// @ts-check
/**
 * Until when there is time: absolute in this browser's zone, with a relative hint.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Wait} Wait
 */

import { h } from "./dom.js";
import { moment, until } from "./time.js";
import { t } from "./words.js";

/** A due time is near when less than this part of the time is left. */
const NEAR = 0.25;

/** "until Tue 24 Nov, 14:05 (in 2 days)", or nothing where no clock runs. @param {Wait | undefined} wait */
export function dueOf(wait) {
  if (!wait?.due) return null;
  return h("span", { className: isNear(wait) ? "due near" : "due" }, h("time", { datetime: wait.due }, dueText(wait.due)));
}

/** @param {string} due */
export function dueText(due) {
  return t("due.until", { time: moment(due), in: until(due) });
}

/** @param {Wait} wait */
function isNear({ since, due }) {
  const [start, end] = [Date.parse(since), Date.parse(due ?? since)];
  return end - Date.now() < NEAR * (end - start);
}

/** Of several who are waited for: whose time is over first. @param {Game} game */
export function first({ waiting }) {
  return [...waiting].filter(({ due }) => due).sort((one, other) => Date.parse(one.due ?? "") - Date.parse(other.due ?? ""))[0];
}
