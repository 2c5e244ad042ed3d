// @ts-check
/**
 * The proposals of a table in the panel about time: those it votes on, and those that can be made: to pause or resume, for more
 * time, for a draw, for a substitute.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("../base/api.js").Proposal} Proposal
 * @typedef {import("../base/game.js").GameOnScreen} GameOnScreen
 */

import { request } from "../base/api.js";
import { h } from "../base/dom.js";
import { seatName } from "../base/game.js";
import { formatDuration } from "../base/time_format.js";
import { called, t } from "../base/words.js";
import { player } from "../people/sign_in/session.js";
import { answerUntil, drawAnswerButtons, drawUndo, proposeButton } from "./proposals.js";

const DAY = 86_400;
/** Seconds of extra time on offer: at slow tables, and at fast ones. */
const SLOW_SPANS = [DAY, 3 * DAY, 7 * DAY, 14 * DAY];
const FAST_SPANS = [900, 3600, DAY];

/** @param {GameOnScreen} table @param {Game} game */
export function drawProposals(table, game) {
  const possible = game.seat !== null ? drawPossibleProposals(table, game) : drawSubstitutes(table, game);
  if (!game.proposals.length && !possible?.length) return null;
  return h("section", { key: "proposals" },
    h("h2", {}, t("proposals")),
    h("ul", { className: "times" }, game.proposals.map(each => drawProposal(table, game, each))),
    possible);
}

/** @param {GameOnScreen} table @param {Game} game @param {Proposal} one */
function drawProposal(table, game, one) {
  const names = (/** @type {number[]} */ seats) => seats.map(seat => (seat === game.seat ? t("seat.you") : called(seatName(game, seat)))).join(t("comma"));
  const withdraw = () => table.change(() => request("DELETE", `${table.path}/proposals/${one.id}`).then(() => undefined));
  const agreed = one.votes.filter(({ agrees }) => agrees).map(({ seat }) => seat);
  return h("li", { key: one.id },
    h("p", {}, one.words),
    h("p", { className: "soft small" },
      agreed.length > 0 && [t("proposals.agreed", { names: names(agreed) }), " "],
      one.missing.length > 0 && [t("proposals.missing", { names: names(one.missing) }), " "], answerUntil(one)),
    one.asks_you && drawAnswerButtons(table, one),
    one.yours && h("div", { className: "buttons" }, h("button", { type: "button", onclick: withdraw }, t("proposals.withdraw"))));
}

/** What can be proposed now. @param {GameOnScreen} table @param {Game} game */
function drawPossibleProposals(table, game) {
  const open = (/** @type {string} */ kind) => game.proposals.some(each => each.kind === kind);
  const clocked = game.pace.kind !== "none";
  return [
    clocked && !game.paused && !open("pause") && drawPause(table, game),
    game.paused && !open("resume") && h("div", { className: "buttons", key: "resume" }, proposeButton(table, t("propose.resume"), () => ({ kind: "resume" }))),
    game.take_back && h("div", { className: "buttons", key: "back" }, drawUndo(table, game)),
    clocked && !open("extend") && drawExtend(table, game),
    !open("close") && h("div", { className: "buttons", key: "close" },
      proposeButton(table, t("propose.draw"), () => ({ kind: "close", outcome: "draw" })),
      proposeButton(table, t("propose.abandon"), () => ({ kind: "close", outcome: "abandon" })))];
}

/** @param {GameOnScreen} table @param {Game} game */
function drawPause(table, game) {
  return h("div", { className: "propose", key: "pause" },
    h("label", { for: "pause" }, t("propose.pause.how-long")), drawSelect("pause", extensionOptions(game)),
    proposeButton(table, t("propose.pause"), () => ({ kind: "pause", seconds: Number(selectedValue("pause")) })));
}

/** @param {GameOnScreen} table @param {Game} game */
function drawExtend(table, game) {
  const people = game.seats.filter(({ house }) => !house).sort((one, other) => Number(other.you) - Number(one.you));
  return h("div", { className: "propose", key: "extend" },
    h("label", { for: "extend-seat" }, t("propose.extend.whose")), drawSelect("extend-seat", people.map(({ seat, name }) => [String(seat), name])),
    h("label", { for: "extend" }, t("propose.extend.how-long")), drawSelect("extend", extensionOptions(game)),
    proposeButton(table, t("propose.extend"), () => ({ kind: "extend", seat: Number(selectedValue("extend-seat")), seconds: Number(selectedValue("extend")) })));
}

/** Spectators may offer to take over from a house player. @param {GameOnScreen} table @param {Game} game */
function drawSubstitutes(table, game) {
  if (!player() || game.held) return null;
  return game.seats.filter(({ house }) => house).map(({ seat, name }) => h("div", { className: "buttons", key: `in ${seat}` },
    proposeButton(table, t("propose.substitute", { name }), () => ({ kind: "substitute", seat }))));
}

/** @param {Game} game @returns {[string, string][]} */
function extensionOptions({ pace }) {
  const long = (pace.seconds ?? pace.reserve ?? DAY) >= DAY;
  return (long ? SLOW_SPANS : FAST_SPANS).map(seconds => [String(seconds), formatDuration(seconds)]);
}

/** @param {string} id @param {[string, string][]} options */
function drawSelect(id, options) {
  return h("select", { id }, options.map(([value, words]) => h("option", { value }, words)));
}

/** @param {string} id */
function selectedValue(id) {
  return /** @type {HTMLSelectElement} */ (document.getElementById(id)).value;
}
