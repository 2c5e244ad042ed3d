// @ts-check
/**
 * The screen of a table: status line, seats, middle, bottom panel, side panel.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("./table.js").Table} Table
 */

import { h, update } from "../base/dom.js";
import { drawLogo } from "../base/logo.js";
import { setTitle } from "../base/title_and_icon.js";
import { t } from "../base/words.js";
import { drawProposalsToAnswer } from "../time_and_proposals/proposals.js";
import { drawTakeBack } from "../time_and_proposals/resign.js";
import { drawAddressHint } from "../waiting_room/address_hint.js";
import { drawWaitingRoom } from "../waiting_room/waiting_room.js";
import { drawBottomPanel, placesToPick, zonesInPanel } from "./bottom_panel.js";
import { drawResult } from "./result.js";
import { drawOthers, drawSeat } from "./seats.js";
import { drawPanelButtons, drawSidePanel } from "./side_panel.js";
import { drawStatusLine } from "./status_line.js";
import { drawMiddle } from "./table_middle.js";
import { arrangeZones } from "../zones/zone_layout.js";

const LATEST_LINES = 3;

/** Draws the table in place. @param {Table} table */
export function drawScreen(table) {
  const { game, main } = table;
  if (!game) return;
  setTitle(game.legal.length > 0, game.ruleset.name);
  const focused = document.activeElement;
  update(main,
    h("div", { className: "top", key: "top" },
      h("a", { className: "home", href: "#/", "aria-label": t("to.lobby") }, drawLogo()), h("h1", {}, game.ruleset.name), drawPanelButtons(table, game)),
    h("p", { className: game.legal.length ? "status-line mine" : "status-line", key: "status-line" }, drawStatusLine(game)),
    game.status === "open" ? drawWaitingRoom(table, game) : drawPlay(table, game),
    drawSidePanel(table, game));
  if (focused?.closest("main, body") && !focused.isConnected) keepFocus(main);
}

/** Moves focus to the next control to use when the focused one is gone. @param {HTMLElement} main */
function keepFocus(main) {
  const next = main.querySelector("#confirm:not(:disabled), .hand [data-control]:not([aria-disabled=true]), .options [data-control]");
  /** @type {HTMLElement} */ (next ?? main).focus({ preventScroll: true });
}

/** @param {Table} table @param {Game} game */
function drawPlay(table, game) {
  const { view } = game;
  if (!view) return null;
  const places = arrangeZones(view.zones, game.result ? null : game.seat);
  const screen = { game, view, places, before: table.lastLook.table, panelZones: zonesInPanel(table, game, places), talk: table.talk, spots: placesToPick(table, view) };
  const seats = game.seats.map(({ seat }) => seat ?? 0);
  const others = [...seats.slice((game.seat ?? -1) + 1), ...seats.slice(0, Math.max(0, game.seat ?? 0))];
  const me = game.seat === null ? [] : [game.seat];
  return h("div", { className: game.result ? "play over" : "play", key: "play" },
    drawProposalsToAnswer(table, game),
    drawAddressHint(game, () => table.redraw()),
    drawTakeBack(table, game),
    drawResult(screen, table.verification.draw()),
    game.status === "running" && table.history.drawLatest(game, LATEST_LINES),
    drawOthers(screen, game.result ? [...me, ...others] : others),
    drawMiddle(screen),
    !game.result && me.map(seat => drawSeat(screen, seat)),
    game.status === "running" && drawBottomPanel(table, game, screen));
}
