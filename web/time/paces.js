// @ts-check
/**
 * The pace of a table in words.
 *
 * @typedef {import("../base/api.js").Pace} Pace
 */

import { formatDuration } from "../base/time_format.js";
import { t } from "../base/words.js";

/** The short name of a pace, also of one that the host defined. @param {Pace} pace */
export function paceName({ preset, kind, words, rest, seconds = 0, reserve = 0, increment = 0 }) {
  if (preset) return words;
  return [t(`pace.${kind}`, { each: formatDuration(seconds), reserve: formatDuration(reserve), increment: formatDuration(increment) }), rest?.short].filter(Boolean).join(t("comma"));
}

/** A pace in full: its name, if any, and what it means. @param {Pace} pace */
export function paceText({ preset, words, detail }) {
  return preset ? t("new-table.pace.each", { words, detail }) : detail;
}
