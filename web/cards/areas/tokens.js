// @ts-check
/** Facts as tokens, as a ruleset's layout declares them: a picture, and the number, suits or cards that the fact says. What has no picture is told in words. */

import { h } from "../../base/dom.js";
import { SUITS, colourCards } from "../../base/words.js";
import { isCard } from "../card.js";
import { drawSuit } from "../card_drawings.js";
import { drawPicture, hasPicture } from "./token_pictures.js";

/**
 * @typedef {import("../../base/api.js").Area} Area
 * @typedef {import("../../base/api.js").Fact} Fact
 * @typedef {import("../../base/dom.js").Child} Child
 */

/** The members that say what a token says, unless the layout names another one. */
const SAYING = ["value", "suit", "suits", "cards"];

/** The tokens of these facts, in the order of the layout, and the facts that have none. @param {Area[]} areas @param {Fact[]} facts @returns {{tokens: Child[], others: Fact[]}} */
export function drawTokens(areas, facts) {
  const declared = areas.filter(({ kind, icon }) => kind === "token" && hasPicture(icon));
  const tokens = declared.flatMap(area => facts.filter(fact => isOf(area, fact)).map(fact => drawToken(area, fact)));
  return { tokens, others: facts.filter(fact => !declared.some(area => isOf(area, fact))) };
}

/** A list of tokens and of what is told in words beside them. @param {Child[]} tokens @param {Fact[]} others @param {(fact: Fact) => string} worded */
export function drawTold(tokens, others, worded) {
  return (tokens.length > 0 || others.length > 0) && h("ul", { className: "facts told" }, tokens,
    others.map(fact => h("li", { className: fact.foreseen ? "words foreseen" : "words" }, colourCards(worded(fact)))));
}

/** @param {Area} area @param {Fact} fact */
function isOf({ facts: { of } }, { name }) {
  return name === of;
}

/** @param {Area} area @param {Fact} fact */
function drawToken(area, fact) {
  const { icon = "", numbers = {}, title } = area;
  const said = fact[area.facts.says ?? SAYING.find(each => each in fact) ?? ""];
  const spent = "spent" in numbers && said === numbers.spent;
  return h("li", { className: `token is-${icon}${spent ? " spent" : ""}${fact.foreseen ? " foreseen" : ""}`, key: `token ${fact.name}`, title: fact.words },
    title && h("span", { className: "token-title", "aria-hidden": "true" }, title),
    h("span", { className: "token-sign", role: "img", "aria-label": fact.words },
      drawPicture(icon), !("spent" in numbers) && drawSaid(said, numbers.of)),
    h("span", { className: "token-words", "aria-hidden": "true" }, colourCards(fact.short ?? fact.words)));
}

/** A number, suits or the suits of cards; nothing of what only says yes. @param {any} said @param {number} [of]  as many are wanted */
function drawSaid(said, of) {
  const list = Array.isArray(said) ? said : [said];
  const suits = list.map(each => (SUITS.includes(each) ? each : isCard(String(each)) && each !== "Jk" ? each[1] : null));
  if (said !== undefined && suits.every(Boolean)) return h("b", { className: "said" }, suits.map(suit => drawSuit(String(suit))));
  const number = typeof said === "number" || (typeof said === "string" && /^-?\d/.test(said));
  return number && h("b", { className: "said" }, of === undefined ? String(said) : `${said}/${of}`);
}
