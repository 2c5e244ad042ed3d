// @ts-check
/**
 * The games on offer, by mood, each with a few of its cards; and for whoever is new a picture of a table with a game to
 * begin with.
 *
 * @typedef {import("../base/api.js").RulesetSummary} RulesetSummary
 */

import { h } from "../base/dom.js";
import { t } from "../base/words.js";
import { drawUnlabelledCard } from "../cards/card.js";
import { playNow } from "./new_table/open_table.js";

/** Easy games come first. */
const WEIGHTS = ["easy", "medium", "hard"];
/** Hidden cards of others in the picture. */
const HIDDEN = 5;

/** @param {RulesetSummary[]} rulesets */
export function drawShelf(rulesets) {
  const moods = [...new Set(inOrder(rulesets).map(({ mood }) => mood))];
  return h("section", { className: "shelf", key: "shelf" }, h("h2", {}, t("lobby.games")), moods.map(mood =>
    h("section", { key: mood }, h("h3", {}, t(`mood.${mood}`)),
      h("div", { className: "games" }, inOrder(rulesets).filter(each => each.mood === mood).map(drawGame)))));
}

/** A picture of a table, and the game that is shortest of the easy ones. @param {RulesetSummary[]} rulesets */
export function drawWelcome(rulesets) {
  const [first] = inOrder(rulesets);
  return h("section", { className: "hero", key: "hero" },
    h("h1", {}, t("lobby.title")),
    h("p", {}, t("lobby.what")),
    first && h("div", { className: "welcome" },
      h("div", { className: "little-table", role: "img", "aria-label": t("shelf.picture") },
        drawFan(Array(HIDDEN).fill(null), "hidden-hand"), drawFan(first.cards.slice(-1), "laid"), drawFan(first.cards, "own-hand")),
      h("p", {}, first.summary),
      h("div", { className: "buttons" }, h("button", { type: "button", className: "main", "data-first": true, onclick: () => playNow(first.slug, first.players[0]) }, t("shelf.try", { name: first.name })))));
}

/** @param {RulesetSummary[]} rulesets */
function inOrder(rulesets) {
  const weight = (/** @type {RulesetSummary} */ each) => WEIGHTS.indexOf(each.weight);
  return [...rulesets].sort((one, other) => weight(one) - weight(other) || one.decisions - other.decisions);
}

/** @param {RulesetSummary} ruleset */
function drawGame({ slug, name, players, cards, decisions, weight }) {
  return h("article", { className: "game", key: slug },
    h("a", { className: "title", href: `/new/${slug}` },
      h("span", { className: "miniature", "aria-hidden": "true" }, drawFan(cards, "fan")),
      h("span", { className: "what" }, h("strong", {}, name),
        h("span", { className: "facts" }, t("shelf.facts", { players: playerCounts(players), decisions, weight: t(`weight.${weight}`) })))),
    h("button", { type: "button", "data-play": slug, "aria-label": `${t("lobby.play")}${t("colon")}${name}`, title: t("lobby.play"), onclick: () => playNow(slug, players[0]) }, "▶"));
}

/** Cards side by side, one over the other. @param {(string | null)[]} cards @param {string} className */
function drawFan(cards, className) {
  return h("span", { className: `cards ${className}` }, cards.map(card => h("span", {}, drawUnlabelledCard(card))));
}

/** "2 to 8", or "2 or 4". @param {number[]} players */
function playerCounts(players) {
  const [least, most] = [players[0], players[players.length - 1]];
  const all = players.length > 2 && most - least === players.length - 1;
  return all ? t("number.range", { least, most }) : players.join(t("lobby.or"));
}
