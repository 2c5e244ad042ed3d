// @ts-check
/**
 * What the table agrees on: pausing, going on, more time, an end, somebody who sits in.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Proposal} Proposal
 * @typedef {import("./table.js").Table} Table
 */

import { ask, post } from "./api.js";
import { h } from "./dom.js";
import { player } from "./player.js";
import { seatName } from "./seats.js";
import { moment, span, until } from "./time.js";
import { t } from "./words.js";

const DAY = 86_400;
/** Seconds that one can ask for, at tables where one answers within days, and where one answers at once. */
const LONG = [DAY, 3 * DAY, 7 * DAY, 14 * DAY];
const SHORT = [900, 3600, DAY];

/** What waits for the reader's answer, above the table. @param {Table} table @param {Game} game */
export function drawAsked(table, game) {
  return game.proposals.filter(each => each.asks_you).map(each => h("section", { className: "asks", key: each.id, "aria-label": t("proposals") },
    h("p", {}, each.words, " ", h("span", { className: "soft small" }, answerUntil(each))), answers(table, each)));
}

/** @param {Table} table @param {Game} game */
export function drawProposals(table, game) {
  const possible = game.seat !== null ? ways(table, game) : substitutes(table, game);
  if (!game.proposals.length && !possible?.length) return null;
  return h("section", { key: "proposals" },
    h("h2", {}, t("proposals")),
    h("ul", { className: "times" }, game.proposals.map(each => proposal(table, game, each))),
    possible);
}

/** @param {Table} table @param {Game} game @param {Proposal} one */
function proposal(table, game, one) {
  const names = (/** @type {number[]} */ seats) => seats.map(seat => seatName(game, seat)).join(t("comma"));
  const withdraw = () => table.change(() => ask("DELETE", `${table.path}/proposals/${one.id}`).then(() => undefined));
  const agreed = one.votes.filter(({ agrees }) => agrees).map(({ seat }) => seat);
  return h("li", { key: one.id },
    h("p", {}, one.words),
    h("p", { className: "soft small" },
      agreed.length > 0 && [t("proposals.agreed", { names: names(agreed) }), " "],
      one.missing.length > 0 && [t("proposals.missing", { names: names(one.missing) }), " "], answerUntil(one)),
    one.asks_you && answers(table, one),
    one.yours && h("div", { className: "buttons" }, h("button", { type: "button", onclick: withdraw }, t("proposals.withdraw"))));
}

/** @param {Proposal} one */
function answerUntil({ due }) {
  return t("proposals.until", { time: moment(due), in: until(due) });
}

/** @param {Table} table @param {Proposal} one */
function answers(table, { id }) {
  const vote = (/** @type {boolean} */ agrees) => table.change(() => post(`${table.path}/proposals/${id}/votes`, { agrees }));
  return h("div", { className: "buttons" },
    h("button", { type: "button", className: "main", onclick: () => vote(true) }, t("proposals.agree")),
    h("button", { type: "button", onclick: () => vote(false) }, t("proposals.refuse")));
}

/** What can be proposed now. @param {Table} table @param {Game} game */
function ways(table, game) {
  const open = (/** @type {string} */ kind) => game.proposals.some(each => each.kind === kind);
  const clocked = game.pace.kind !== "none";
  return [
    clocked && !game.paused && !open("pause") && pause(table, game),
    game.paused && !open("resume") && h("div", { className: "buttons", key: "resume" }, propose(table, t("propose.resume"), () => ({ kind: "resume" }))),
    clocked && !open("extend") && extend(table, game),
    !open("close") && h("div", { className: "buttons", key: "close" },
      propose(table, t("propose.draw"), () => ({ kind: "close", outcome: "draw" })),
      propose(table, t("propose.abandon"), () => ({ kind: "close", outcome: "abandon" })))];
}

/** @param {Table} table @param {Game} game */
function pause(table, game) {
  return h("div", { className: "propose", key: "pause" },
    h("label", { for: "pause" }, t("propose.pause.how-long")), choice("pause", spans(game)),
    propose(table, t("propose.pause"), () => ({ kind: "pause", seconds: Number(chosen("pause")) })));
}

/** @param {Table} table @param {Game} game */
function extend(table, game) {
  const people = game.seats.filter(({ house }) => !house).sort((one, other) => Number(other.you) - Number(one.you));
  return h("div", { className: "propose", key: "extend" },
    h("label", { for: "extend-seat" }, t("propose.extend.whose")), choice("extend-seat", people.map(({ seat, name }) => [String(seat), name])),
    h("label", { for: "extend" }, t("propose.extend.how-long")), choice("extend", spans(game)),
    propose(table, t("propose.extend"), () => ({ kind: "extend", seat: Number(chosen("extend-seat")), seconds: Number(chosen("extend")) })));
}

/** Who looks on may offer to play on for a house player. @param {Table} table @param {Game} game */
function substitutes(table, game) {
  if (!player() || game.held) return null;
  return game.seats.filter(({ house }) => house).map(({ seat, name }) => h("div", { className: "buttons", key: `in ${seat}` },
    propose(table, t("propose.substitute", { name }), () => ({ kind: "substitute", seat }))));
}

/** @param {Table} table @param {string} words @param {() => Record<string, any>} wish */
function propose(table, words, wish) {
  return h("button", { type: "button", onclick: () => table.change(() => post(`${table.path}/proposals`, wish())) }, words);
}

/** @param {Game} game @returns {[string, string][]} */
function spans({ pace }) {
  const long = (pace.seconds ?? pace.reserve ?? DAY) >= DAY;
  return (long ? LONG : SHORT).map(seconds => [String(seconds), span(seconds)]);
}

/** @param {string} id @param {[string, string][]} options */
function choice(id, options) {
  return h("select", { id }, options.map(([value, words]) => h("option", { value }, words)));
}

/** @param {string} id */
function chosen(id) {
  return /** @type {HTMLSelectElement} */ (document.getElementById(id)).value;
}
