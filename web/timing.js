// @ts-check
/**
 * Everything about time at a table: how much there is, why it is so, what the table can agree on; and getting up.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Seat} Seat
 * @typedef {import("./table.js").Table} Table
 */

import { post } from "./api.js";
import { h } from "./dom.js";
import { dueOf } from "./due.js";
import { paceName } from "./pace.js";
import { drawProposals } from "./proposals.js";
import { sure } from "./sure.js";
import { moment, span } from "./time.js";
import { t } from "./words.js";

/** Seats of a game in which resigning ends it. */
const TWO = 2;

/** @param {Table} table @param {Game} game */
export function drawTime(table, game) {
  const clocked = game.pace.kind !== "none";
  return [
    h("section", { key: "pace" },
      h("h2", {}, paceName(game.pace)),
      (game.pace.preset || game.pace.kind === "reserve") && h("p", {}, game.pace.detail),
      clocked && h("p", { className: "soft small" }, takeoverText(game.takeover)),
      h("ul", { className: "times" }, game.seats.map(seat => timeOf(game, seat)))),
    game.status === "running" && drawProposals(table, game),
    clocked && table.why.draw(game, () => table.redraw()),
    game.status === "running" && game.seat !== null && leaving(table, game)];
}

/** @param {number} n time-outs in a row; 0: never */
function takeoverText(n) {
  if (n === 1) return t("time.takeover.once");
  return n ? t("time.takeover", { n }) : t("time.takeover.never");
}

/** What there is to say of a seat's time. @param {Game} game @param {Seat} who */
function timeOf(game, who) {
  const wait = game.waiting.find(({ seat }) => seat === who.seat);
  const said = [
    who.reserve !== null && t("time.reserve", { time: span(who.reserve) }),
    who.extra > 0 && t("time.extra", { time: span(who.extra) }),
    who.misses > 0 && t("time.misses", { n: who.misses }),
    who.away && Date.parse(who.away.ends_at) > Date.now() && t("time.away", { first: moment(who.away.begins_at), last: moment(who.away.ends_at) }),
  ].filter(Boolean);
  if (!wait?.due && !said.length) return null;
  return h("li", { key: who.tenure }, h("b", {}, who.name), " ", dueOf(wait), said.map(words => h("p", { className: "soft small" }, words)));
}

/** @param {Table} table @param {Game} game */
function leaving(table, game) {
  const alone = game.seats.length === TWO;
  const give = async (/** @type {boolean} */ forGood) => {
    if (table.drawer) table.open("");
    await table.change(() => post(`${table.path}/resignation`, { for_good: forGood }));
  };
  const resign = async () => {
    if (await sure(t("resign.title"), t(alone ? "resign.two" : "resign.more"), t("resign.do"))) await give(false);
  };
  const leave = async () => {
    if (await sure(t("resign.good"), t("resign.good.what"), t("resign.good"))) await give(true);
  };
  return h("section", { key: "leaving" },
    h("h2", {}, t("resign.leaving")),
    h("p", { className: "soft small" }, t(alone ? "resign.two" : "resign.more")),
    h("div", { className: "buttons" }, h("button", { type: "button", id: "resign", onclick: resign }, t("resign.do"))),
    !alone && [
      h("p", { className: "soft small" }, t("resign.good.what")),
      h("div", { className: "buttons" }, h("button", { type: "button", id: "leave-for-good", onclick: leave }, t("resign.good")))]);
}

/** Somebody who gave the seat up may take it back from a house player. @param {Table} table @param {Game} game */
export function wayBack(table, game) {
  if (!game.held?.back || game.status !== "running") return null;
  return h("section", { className: "asks", key: "back" },
    h("p", {}, t("seat.held")),
    h("div", { className: "buttons" }, h("button", { type: "button", id: "take-back", className: "main", onclick: () => table.change(() => post(`${table.path}/return`)) }, t("seat.back"))));
}
