// @ts-check
/**
 * The panel about time: how much each seat has, proposals, the history of the clocks, and resigning.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("../base/api.js").Seat} Seat
 * @typedef {import("./resignation.js").ResignableGame} ResignableGame
 */

import { h } from "../base/dom.js";
import { formatDuration } from "../base/time_format.js";
import { t } from "../base/words.js";
import { drawProgramTag } from "../talk/person_menu.js";
import { ClockHistory } from "./clock_history.js";
import { drawDue, formatDueTime } from "./deadlines.js";
import { drawResign } from "./leaving.js";
import { paceName } from "./paces.js";
import { drawProposals } from "./proposals_of_table.js";

/** What draws the panel of this table. @param {ResignableGame} table @returns {(game: Game) => any} */
export function timePanel(table) {
  const history = new ClockHistory(table.path);
  return game => drawTimePanel(table, history, game);
}

/** @param {ResignableGame} table @param {ClockHistory} history @param {Game} game */
function drawTimePanel(table, history, game) {
  const clocked = game.pace.kind !== "none";
  return [
    h("section", { key: "pace" },
      h("h2", {}, paceName(game.pace)),
      (game.pace.preset || game.pace.rest || game.pace.kind === "reserve") && h("p", {}, game.pace.detail),
      clocked && h("p", { className: "soft small" }, takeoverText(game.takeover)),
      h("ul", { className: "times" }, game.seats.map(seat => drawSeatTime(game, seat)))),
    game.status === "running" && drawProposals(table, game),
    clocked && history.draw(game, () => table.redraw()),
    game.status === "running" && game.seat !== null && drawResign(table, game)];
}

/** @param {number} n time-outs in a row; 0: never */
function takeoverText(n) {
  if (n === 1) return t("time.takeover.once");
  return n ? t("time.takeover", { n }) : t("time.takeover.never");
}

/** The time of a seat. @param {Game} game @param {Seat} who */
function drawSeatTime(game, who) {
  const wait = game.waiting.find(({ seat }) => seat === who.seat);
  const said = [
    who.reserve !== null && t("time.reserve", { time: formatDuration(who.reserve) }),
    who.extra > 0 && t("time.extra", { time: formatDuration(who.extra) }),
    who.misses > 0 && t("time.misses", { n: who.misses }),
    who.unreachable && !who.you && t("seat.unreachable"),
    who.away && Date.parse(who.away.ends_at) > Date.now() && t("time.away", { first: formatDueTime(who.away.begins_at), last: formatDueTime(who.away.ends_at) }),
  ].filter(Boolean);
  if (!wait?.due && !said.length) return null;
  return h("li", { key: who.tenure }, h("b", {}, who.name), drawProgramTag(who), " ", drawDue(wait), said.map(words => h("p", { className: "soft small" }, words)));
}
