// @ts-check
/** Times: absolute in the reader's zone, with a relative hint. */

import { language } from "./words.js";

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
