// @ts-check
/** Times: absolute in the reader's zone, with a relative hint. */

import { language, t } from "./words.js";

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];

/** "14:05", or with the date if it was another day. @param {string} iso */
export function clock(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const date = today ? {} : { day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(language(), { ...date, hour: "2-digit", minute: "2-digit" }).format(at);
}

/** "2 hours ago", or nothing for what is just now. @param {string} iso */
export function ago(iso) {
  const seconds = (Date.now() - Date.parse(iso)) / 1000;
  const unit = UNITS.find(([, size]) => seconds >= size);
  if (!unit) return "";
  return new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(-Math.floor(seconds / unit[1]), unit[0]);
}

/** "in 2 days", or "soon" for what is less than a minute ahead. @param {string} iso */
export function until(iso) {
  const seconds = Math.max(0, (Date.parse(iso) - Date.now()) / 1000);
  const unit = UNITS.find(([, size]) => seconds >= size);
  return unit ? new Intl.RelativeTimeFormat(language()).format(Math.floor(seconds / unit[1]), unit[0]) : t("time.soon");
}

/** "Tue 24 Nov, 14:05": a moment ahead, in the zone of this browser. @param {string} iso */
export function moment(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const date = today ? {} : { weekday: "short", day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(language(), { ...date, hour: "2-digit", minute: "2-digit" }).format(at);
}

/** "24 November", of a day of the calendar. @param {string} date as 2026-11-24 */
export function day(date) {
  return new Intl.DateTimeFormat(language(), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));
}

/** "3 days 4 hours": the two largest units of a length of time. @param {number} seconds */
export function span(seconds) {
  const parts = [];
  let rest = Math.max(0, Math.round(seconds));
  for (const [unit, size] of [...UNITS, /** @type {const} */ (["second", 1])]) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count) parts.push(new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(count));
  }
  return parts.slice(0, 2).join(t("time.and")) || new Intl.NumberFormat(language(), { style: "unit", unit: "second", unitDisplay: "long" }).format(0);
}
