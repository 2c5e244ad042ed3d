// @ts-check
/**
 * The whole screen of a table: what is asked, who sits there, what lies there, my hand, the action bar, the drawers.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./table.js").Table} Table
 */

import { drawAddress } from "./address.js";
import { asked } from "./asked.js";
import { signal } from "./attention.js";
import { docked, drawDock, spots } from "./dock.js";
import { h, update } from "./dom.js";
import { arrange } from "./layout.js";
import { drawMiddle } from "./middle.js";
import { drawAsked } from "./proposals.js";
import { drawResult } from "./result.js";
import { drawRoom } from "./room.js";
import { drawOthers, drawSeat } from "./seats.js";
import { side, tools } from "./side.js";
import { stamp } from "./suits.js";
import { wayBack } from "./timing.js";
import { t } from "./words.js";

const LATELY = 3;

/** Draws the table in place. @param {Table} table */
export function draw(table) {
  const { game, main } = table;
  if (!game) return;
  signal(game.legal.length > 0, game.ruleset.name);
  const focused = document.activeElement;
  update(main,
    h("div", { className: "top", key: "top" },
      h("a", { className: "home", href: "#/", "aria-label": t("to.lobby") }, stamp()), h("h1", {}, game.ruleset.name), tools(table, game)),
    h("p", { className: game.legal.length ? "ask mine" : "ask", key: "ask" }, asked(game)),
    game.status === "open" ? drawRoom(table, game) : played(table, game),
    side(table, game));
  if (focused?.closest("main, body") && !focused.isConnected) keepFocus(main);
}

/** Where the focused control is gone, the next one to use takes its place. @param {HTMLElement} main */
function keepFocus(main) {
  const next = main.querySelector("#confirm:not(:disabled), .hand [data-control]:not([aria-disabled=true]), .options [data-control]");
  /** @type {HTMLElement} */ (next ?? main).focus({ preventScroll: true });
}

/** @param {Table} table @param {Game} game */
function played(table, game) {
  const { view } = game;
  if (!view) return null;
  const places = arrange(view.zones, game.result ? null : game.seat);
  const scene = { game, view, places, before: table.before, docked: docked(table, game, places), talk: table.talk, spots: spots(table, view) };
  const seats = game.seats.map(({ seat }) => seat ?? 0);
  const others = [...seats.slice((game.seat ?? -1) + 1), ...seats.slice(0, Math.max(0, game.seat ?? 0))];
  const me = game.seat === null ? [] : [game.seat];
  return h("div", { className: game.result ? "play over" : "play", key: "play" },
    drawAsked(table, game),
    drawAddress(game, () => table.redraw()),
    wayBack(table, game),
    drawResult(scene),
    game.status === "running" && table.history.lately(LATELY),
    drawOthers(scene, game.result ? [...me, ...others] : others),
    drawMiddle(scene),
    !game.result && me.map(seat => drawSeat(scene, seat)),
    game.status === "running" && drawDock(table, game, scene));
}
