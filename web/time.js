// @ts-check
/** Times: absolute in the reader's zone, with a relative hint. */

import { language, t } from "./words.js";

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];
/** @type {[Intl.RelativeTimeFormatUnit, number]} */
const SECOND = ["second", 1];

/** @type {Map<string, any>} */
const MADE = new Map();

/**
 * What writes times or numbers; kept, since to make one takes far longer than to use it.
 * @template F @param {new (locale: string, options: any) => F} Kind @param {string} where @param {object} [options] @returns {F}
 */
function writer(Kind, where, options = {}) {
  const key = [Kind.name, where, JSON.stringify(options)].join(" ");
  const known = MADE.get(key) ?? new Kind(where, options);
  MADE.set(key, known);
  return known;
}

/** How dates are written where the reader lives, in the language of the page. */
function locale() {
  return navigator.languages.find(each => each.startsWith(language())) ?? USUAL[language()] ?? language();
}

/** Japanese writes no spaces around numbers. @param {string} text */
function close(text) {
  return language() === "ja" ? text.replaceAll(" ", "") : text;
}

/** "14:05", or with the date if it was another day. @param {string} iso */
export function clock(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const date = today ? {} : { day: "numeric", month: "short" };
  return writer(Intl.DateTimeFormat, locale(), { ...date, hour: "2-digit", minute: "2-digit" }).format(at);
}

/** "2 hours ago", or nothing for what is just now. @param {string} iso */
export function ago(iso) {
  const seconds = (Date.now() - Date.parse(iso)) / 1000;
  const unit = UNITS.find(([, size]) => seconds >= size);
  if (!unit) return "";
  return close(writer(Intl.RelativeTimeFormat, language(), { numeric: "auto" }).format(-Math.floor(seconds / unit[1]), unit[0]));
}

/** For who reads a language that the browser does not name. @type {Record<string, string>} */
const USUAL = { en: "en-GB" };

/** Seconds that are worth counting. */
const SHORT = 120;

/** "in 2 days"; the seconds of the last minute, too. @param {string} iso */
export function until(iso) {
  const seconds = Math.max(0, (Date.parse(iso) - Date.now()) / 1000);
  const unit = [...UNITS, SECOND].find(([, size]) => seconds >= size);
  return unit ? close(writer(Intl.RelativeTimeFormat, language()).format(Math.floor(seconds / unit[1]), unit[0])) : t("time.soon");
}

/** Whether it is so near that seconds count. @param {string | null | undefined} iso */
export function isSoon(iso) {
  return Boolean(iso) && Math.abs(Date.parse(iso ?? "") - Date.now()) < SHORT * 1000;
}

/** "Tue 24 Nov, 14:05": a moment ahead, in the zone of this browser; with its seconds if it is near. @param {string} iso */
export function moment(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const date = today ? {} : { weekday: "short", day: "numeric", month: "short" };
  /** @type {Intl.DateTimeFormatOptions} */
  const second = isSoon(iso) ? { second: "2-digit" } : {};
  return writer(Intl.DateTimeFormat, locale(), { ...date, hour: "2-digit", minute: "2-digit", ...second }).format(at);
}

/** "30 November – 3 December 2026", of days of the calendar. @param {string} first as 2026-11-30 @param {string} last */
export function days(first, last) {
  const [from, to] = [first, last].map(each => new Date(`${each}T00:00:00Z`));
  return writer(Intl.DateTimeFormat, locale(), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).formatRange(from, to);
}

/** "3 days 4 hours": the two largest units of a length of time. @param {number} seconds */
export function span(seconds) {
  const parts = [];
  let rest = Math.max(0, Math.round(seconds));
  for (const [unit, size] of [...UNITS, SECOND]) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count) parts.push(writer(Intl.NumberFormat, language(), { style: "unit", unit, unitDisplay: "long" }).format(count));
  }
  return close(parts.slice(0, 2).join(" ") || writer(Intl.NumberFormat, language(), { style: "unit", unit: "second", unitDisplay: "long" }).format(0));
}
