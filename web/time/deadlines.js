// @ts-check
/**
 * Deadlines: until when a seat has time, absolute, in the time zone of this browser, and relative; and which of them is near.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("../base/api.js").Wait} Wait
 */

import { h } from "../base/dom.js";
import { SECOND, UNITS, formatter, locale, spaced } from "../base/time_format.js";
import { language, t } from "../base/words.js";

/** A due time is near when less than this fraction of the time is left. */
const NEAR = 0.25;
/** Times closer than this many seconds are shown with seconds. */
const SHORT = 120;

/** "until Tue 24 Nov, 14:05 (in 2 days)", or nothing without a clock. @param {Wait | undefined} wait */
export function drawDue(wait) {
  if (!wait?.due) return null;
  return h("span", { className: isNear(wait) ? "due near" : "due" }, h("time", { datetime: wait.due }, t("due.until", { time: formatDueTime(wait.due), in: timeLeft(wait.due) })));
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

/** "in 2 days", down to seconds. @param {string} iso */
export function timeLeft(iso) {
  const seconds = Math.max(0, (Date.parse(iso) - Date.now()) / 1000);
  const unit = [...UNITS, SECOND].find(([, size]) => seconds >= size);
  return unit ? spaced(formatter(Intl.RelativeTimeFormat, language()).format(Math.floor(seconds / unit[1]), unit[0])) : t("time.soon");
}

/** Whether a time is close enough to show seconds. @param {string | null | undefined} iso */
export function isSoon(iso) {
  return Boolean(iso) && Math.abs(Date.parse(iso ?? "") - Date.now()) < SHORT * 1000;
}

/** "Tue 24 Nov, 14:05": a time to come; with seconds if it is close. @param {string} iso */
export function formatDueTime(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const date = today ? {} : { weekday: "short", day: "numeric", month: "short" };
  /** @type {Intl.DateTimeFormatOptions} */
  const second = isSoon(iso) ? { second: "2-digit" } : {};
  return formatter(Intl.DateTimeFormat, locale(), { ...date, hour: "2-digit", minute: "2-digit", ...second }).format(at);
}
