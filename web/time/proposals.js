// @ts-check
/**
 * Proposals that the table votes on, as they are answered and made at any place of the screen.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("../base/api.js").Proposal} Proposal
 * @typedef {import("../base/game.js").GameOnScreen} GameOnScreen
 */

import { get, post } from "../base/api.js";
import { sitOrAsk } from "../base/controls/kept_apart.js";
import { h } from "../base/dom.js";
import { t } from "../base/words.js";
import { formatDueTime, timeLeft } from "./deadlines.js";

/** Proposals that wait for the user's vote, shown above the table. @param {GameOnScreen} table @param {Game} game */
export function drawProposalsToAnswer(table, game) {
  return game.proposals.filter(each => each.asks_you).map(each => h("section", { className: "proposal", key: each.id, "aria-label": t("proposals") },
    h("p", {}, each.words, " ", h("span", { className: "soft small" }, answerUntil(each))), drawAnswerButtons(table, each)));
}

/** @param {Proposal} one */
export function answerUntil({ due }) {
  return t("proposals.until", { time: formatDueTime(due), in: timeLeft(due) });
}

/** @param {GameOnScreen} table @param {Proposal} one */
export function drawAnswerButtons(table, { id }) {
  const vote = (/** @type {boolean} */ agrees) => table.change(() => post(`${table.path}/proposals/${id}/votes`, { agrees }));
  return h("div", { className: "buttons" },
    h("button", { type: "button", className: "main", onclick: () => vote(true) }, t("proposals.agree")),
    h("button", { type: "button", onclick: () => vote(false) }, t("proposals.refuse")));
}

/** Lets the user change their last action, which is as it is until then, or asks the table to take it back. @param {GameOnScreen} table @param {Game} game */
export function drawUndo(table, game) {
  const { take_back: back, proposals } = game;
  if (!back || proposals.some(({ kind, yours }) => kind === "takeback" && yours)) return null;
  const { event, free } = back;
  if (!free) return proposeButton(table, t("take-back.ask"), () => ({ kind: "takeback", event }));
  return h("button", { type: "button", onclick: () => table.change(async () => ({ ...(await get(`${table.path}/take-back?event=${event}`)).game, changes: { event, kept: game } })) }, t("take-back.change"));
}

/** @param {GameOnScreen} table @param {string} words @param {() => Record<string, any>} wish */
export function proposeButton(table, words, wish) {
  return h("button", { type: "button", onclick: () => table.change(() => sitOrAsk(more => post(`${table.path}/proposals`, { ...wish(), ...more }))) }, words);
}
