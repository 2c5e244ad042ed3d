// @ts-check
/**
 * Replaces the confirm bar while others are to act: since when, how the user can be told of the next turn, a button to nudge
 * the others, and a link to the next table that waits for the user.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../state/table.js").Table} Table
 */

import { post } from "../../base/api.js";
import { showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { seatName } from "../../base/game.js";
import { toTable } from "../../base/routes.js";
import { formatTime, timeAgo } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { drawUndo } from "../../time/proposals.js";
import { drawHint, hintFor } from "../../lobby/waiting_room/hints.js";
import { isBesideTable } from "../fit/size.js";

/** @param {Table} table @param {Game} game */
export function drawWaiting(table, game) {
  const since = game.waiting[0]?.since;
  const next = table.nextTable;
  const canNudge = game.waiting.some(({ nudge_from: from }) => from !== null && Date.parse(from) <= Date.now());
  const hint = !canNudge && !next && !game.take_back?.free && !isBesideTable() && drawHint(hintFor(game, table.lastLook.hasActed, () => table.redraw()), true);
  if (table.action.sending) return h("div", { className: "confirm-bar idle", key: "idle" }, h("p", { className: "soft" }, t("sending")));
  return h("div", { className: "confirm-bar idle", key: "idle" },
    h("p", { className: "soft small" }, since && t("turn.since", { time: formatTime(since), ago: timeAgo(since) || t("home.now") }), " ", game.seat !== null && t("turn.leave")),
    hint || drawUndo(table, game),
    canNudge && h("button", { type: "button", id: "nudge", onclick: () => nudge(table, game) }, t("nudge")),
    next && h("a", { className: "button main", href: toTable(next.id) }, t("turn.next", { name: next.ruleset.name })));
}

/** @param {Table} table @param {Game} game */
function nudge(table, game) {
  return table.attempt(async () => {
    const { seat } = await post(`${table.path}/nudge`);
    showToast(t("nudge.done", { name: seatName(game, seat) }));
  });
}
