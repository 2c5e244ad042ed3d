// @ts-check
/** What a ruleset declares: its actions, how its table looks, and what the game is about. The last that was asked for is kept: whoever comes back mostly comes back to the same game. */

import { get } from "../../base/api.js";
import { load, save } from "../../base/browser_storage.js";
import { language } from "../../base/words.js";

/** @param {string} slug @param {number} version of the ruleset @returns {Promise<{actions: import("../choosing/narrowing.js").Types, layout: import("../../base/api.js").Area[], summary: string}>} */
export async function loadDeclared(slug, version) {
  const key = [slug, version, language(), document.documentElement.dataset.release].join(" ");
  const kept = JSON.parse(load("declared") ?? "{}");
  if (kept.key === key) return kept;
  const { actions, layout, summary } = await get(`/api/rulesets/${slug}?version=${version}`);
  save("declared", JSON.stringify({ key, actions, layout, summary }));
  return { actions, layout, summary };
}
