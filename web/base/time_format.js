// @ts-check
/** Times and durations as text, in the time zone of this browser. */

import { language } from "./words.js";

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
export const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];
/** @type {[Intl.RelativeTimeFormatUnit, number]} */
export const SECOND = ["second", 1];

/** @type {Map<string, any>} */
const FORMATTERS = new Map();

/**
 * A formatter of times or numbers; cached, because creating one takes far longer than using it.
 * @template F @param {new (locale: string, options: any) => F} Kind @param {string} where @param {object} [options] @returns {F}
 */
export function formatter(Kind, where, options = {}) {
  const key = [Kind.name, where, JSON.stringify(options)].join(" ");
  const known = FORMATTERS.get(key) ?? new Kind(where, options);
  FORMATTERS.set(key, known);
  return known;
}

/** For languages that the browser does not list. @type {Record<string, string>} */
const DEFAULT_LOCALES = { en: "en-GB" };

/** The user's regional variant of the language of the page. */
export function locale() {
  return navigator.languages.find(each => each.startsWith(language())) ?? DEFAULT_LOCALES[language()] ?? language();
}

/** Japanese has no spaces around numbers. @param {string} text */
export function spaced(text) {
  return language() === "ja" ? text.replaceAll(" ", "") : text;
}

/** "14:05", with the date unless it was today. @param {string} iso */
export function formatTime(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const date = today ? {} : { day: "numeric", month: "short" };
  return formatter(Intl.DateTimeFormat, locale(), { ...date, hour: "2-digit", minute: "2-digit" }).format(at);
}

/** "2 hours ago", or "" for less than a minute. @param {string} iso */
export function timeAgo(iso) {
  const seconds = (Date.now() - Date.parse(iso)) / 1000;
  const unit = UNITS.find(([, size]) => seconds >= size);
  if (!unit) return "";
  return spaced(formatter(Intl.RelativeTimeFormat, language(), { numeric: "auto" }).format(-Math.floor(seconds / unit[1]), unit[0]));
}

/** "30 November – 3 December 2026". @param {string} first as 2026-11-30 @param {string} last */
export function formatDays(first, last) {
  const [from, to] = [first, last].map(each => new Date(`${each}T00:00:00Z`));
  return formatter(Intl.DateTimeFormat, locale(), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).formatRange(from, to);
}

/** "3 days 4 hours": a duration in its two largest units. @param {number} seconds */
export function formatDuration(seconds) {
  const parts = [];
  let rest = Math.max(0, Math.round(seconds));
  for (const [unit, size] of [...UNITS, SECOND]) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count) parts.push(formatter(Intl.NumberFormat, language(), { style: "unit", unit, unitDisplay: "long" }).format(count));
  }
  return spaced(parts.slice(0, 2).join(" ") || formatter(Intl.NumberFormat, language(), { style: "unit", unit: "second", unitDisplay: "long" }).format(0));
}
