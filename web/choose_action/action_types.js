// @ts-check
/** The actions that a ruleset declares. The last that were asked for are kept: whoever comes back mostly comes back to the same game. */

import { get } from "../base/api.js";
import { load, save } from "../base/browser_storage.js";
import { language } from "../base/words.js";

/** @param {string} slug @param {number} version of the ruleset @returns {Promise<import("./narrowing.js").Types>} */
export async function loadActionTypes(slug, version) {
  const key = [slug, version, language(), document.documentElement.dataset.release].join(" ");
  const kept = JSON.parse(load("actionTypes") ?? "{}");
  if (kept.key === key) return kept.actions;
  const { actions } = await get(`/api/rulesets/${slug}?version=${version}`);
  save("actionTypes", JSON.stringify({ key, actions }));
  return actions;
}
