// @ts-check
/**
 * The games on offer: their stamps on one sheet, then each with its table in miniature and what can be done; and for whoever
 * is new a game to begin with.
 *
 * @typedef {import("../base/api.js").RulesetSummary} RulesetSummary
 */

import { h } from "../base/dom.js";
import { t } from "../base/words.js";
import { drawStamp } from "../cards/stamp.js";
import { drawLessonButton } from "../rules_page/lesson.js";
import { drawMiniature } from "./miniatures.js";
import { playNow } from "./new_table/open_table.js";

/** Easy games come first. */
const WEIGHTS = ["easy", "medium", "hard"];

/** @param {RulesetSummary[]} rulesets */
export function drawShelf(rulesets) {
  const games = inOrder(rulesets);
  const moods = [...new Set(games.map(({ mood }) => mood))];
  return h("section", { className: "shelf", key: "shelf" }, h("h2", {}, t("lobby.games")),
    h("ul", { className: "stamp-sheet" }, games.map(({ slug, name }) => h("li", { key: slug }, h("a", { href: `/new/${slug}`, "aria-label": name, title: name }, drawStamp(slug))))),
    moods.map(mood => h("section", { key: mood }, h("h3", {}, t(`mood.${mood}`)),
      h("div", { className: "games" }, games.filter(each => each.mood === mood).map(drawGame)))));
}

/** What Tegami is, and the game that is shortest of the easy ones. @param {RulesetSummary[]} rulesets */
export function drawWelcome(rulesets) {
  const [first] = inOrder(rulesets);
  return h("section", { className: "hero", key: "hero" },
    h("div", {},
      h("h1", {}, t("lobby.title")),
      h("p", {}, t("lobby.what")),
      first && h("div", { className: "buttons" }, h("button", { type: "button", className: "main", "data-first": true, onclick: () => playNow(first.slug, first.players[0]) }, t("shelf.try", { name: first.name })), drawLessonButton(first.slug)),
      h("p", { className: "soft small" }, t("shelf.against"))),
    first && h("div", { className: "postcard", role: "img", "aria-label": t("shelf.picture", { name: first.name }) }, drawMiniature(first.slug), drawStamp(first.slug)));
}

/** @param {RulesetSummary[]} rulesets */
function inOrder(rulesets) {
  const weight = (/** @type {RulesetSummary} */ each) => WEIGHTS.indexOf(each.weight);
  return [...rulesets].sort((one, other) => weight(one) - weight(other) || one.decisions - other.decisions);
}

/** @param {RulesetSummary} ruleset */
function drawGame({ slug, name, summary, players, decisions, weight }) {
  return h("article", { className: "game", key: slug },
    h("div", { className: "postcard", role: "img", "aria-label": t("shelf.picture", { name }) }, drawMiniature(slug), drawStamp(slug)),
    h("h4", {}, name),
    h("p", {}, summary),
    h("p", { className: "facts soft small" }, t("shelf.facts", { players: playerCounts(players), decisions, weight: t(`weight.${weight}`) })),
    h("div", { className: "buttons" },
      h("button", { type: "button", "data-play": slug, "aria-label": `${t("lobby.play")}${t("colon")}${name}`, title: t("lobby.play"), onclick: () => playNow(slug, players[0]) }, t("shelf.play")),
      h("a", { className: "button", href: `/new/${slug}`, "aria-label": t("new-table.title", { name }) }, t("lobby.new")),
      h("a", { className: "button", href: `/rules/${slug}`, "aria-label": t("shelf.rules", { name }) }, t("lobby.rules"))));
}

/** "2 to 8", or "2 or 4". @param {number[]} players */
function playerCounts(players) {
  const [least, most] = [players[0], players[players.length - 1]];
  const all = players.length > 2 && most - least === players.length - 1;
  return all ? t("number.range", { least, most }) : players.join(t("lobby.or"));
}
