// @ts-check
/**
 * The whole screen of a table: what is asked, who sits there, what lies there, my hand, the action bar, the drawers.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./table.js").Table} Table
 */

import { signal } from "./attention.js";
import { docked, drawDock, spots } from "./dock.js";
import { h, update } from "./dom.js";
import { arrange } from "./layout.js";
import { drawMiddle } from "./middle.js";
import { nonceStands } from "./opening.js";
import { drawResult } from "./result.js";
import { drawRoom } from "./room.js";
import { rulesText } from "./rules.js";
import { drawOthers, drawSeat, seatName } from "./seats.js";
import { stamp } from "./suits.js";
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
      h("a", { className: "home", href: "#/", "aria-label": t("to.lobby") }, stamp()), h("h1", {}, game.ruleset.name), tools(table)),
    h("p", { className: game.legal.length ? "ask mine" : "ask", key: "ask", role: "status" }, asked(game)),
    game.status === "open" ? drawRoom(game, each => table.take(each)) : played(table, game),
    game.status !== "open" && side(table, game));
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
  const scene = { game, view, places, before: table.before, docked: docked(table, game, places), spots: spots(table, view) };
  const seats = game.seats.map(({ seat }) => seat ?? 0);
  const others = [...seats.slice((game.seat ?? -1) + 1), ...seats.slice(0, Math.max(0, game.seat ?? 0))];
  const me = game.seat === null ? [] : [game.seat];
  return h("div", { className: game.result ? "play over" : "play", key: "play" },
    drawResult(scene),
    game.status === "running" && table.history.lately(LATELY),
    drawOthers(scene, game.result ? [...me, ...others] : others),
    drawMiddle(scene),
    !game.result && me.map(seat => drawSeat(scene, seat)),
    game.status === "running" && drawDock(table, game, scene));
}

/** What is asked of the reader, or who is waited for. @param {Game} game */
function asked(game) {
  if (game.status === "open") return t("turn.open");
  if (game.result) return t("turn.over");
  if (game.legal.length) return h("span", {}, h("b", {}, t("turn.yours")), " ", game.view?.prompt_words);
  return t("turn.waiting", { names: game.waiting.map(({ seat }) => seatName(game, seat)).join(t("comma")) });
}

/** @param {Table} table */
function tools(table) {
  if (table.game?.status === "open") return null;
  return h("div", { className: "tools" }, ["history", "rules"].map(name =>
    h("button", { type: "button", className: "plain", "data-drawer": name, "aria-expanded": table.drawer === name, onclick: () => table.open(table.drawer === name ? "" : name) }, t(name))));
}

/** History and rules: a drawer on the phone, a column beside a wide table. @param {Table} table @param {Game} game */
function side(table, game) {
  if (table.tab === "rules" && !table.rules) loadRules(table, game.ruleset.slug);
  return h("aside", { className: table.drawer ? "side open" : "side", key: "side", "aria-label": t(table.tab) },
    h("div", { className: "side-head" },
      ["history", "rules"].map(name => h("button", { type: "button", className: "tab", "aria-pressed": table.tab === name, onclick: () => table.open(name) }, t(name))),
      h("button", { type: "button", className: "plain close", onclick: () => table.open("") }, t("close"))),
    h("div", { className: "side-body", key: table.tab, tabindex: 0, role: "group", "aria-label": t(table.tab) },
      table.tab === "rules" ? table.rules?.cloneNode(true) : [table.history.draw(() => table.attempt(() => table.history.earlier())), fairness(game)]));
}

/** @param {Table} table @param {string} slug */
function loadRules(table, slug) {
  table.rules = document.createDocumentFragment();
  table.attempt(async () => {
    table.rules = await rulesText(slug);
  });
}

/** Whether this browser's own random number went into the shuffles. @param {Game} game */
function fairness(game) {
  const stands = nonceStands(game);
  return stands === null ? null : h("p", { className: stands ? "soft small" : "warning" }, t(stands ? "nonce.stands" : "nonce.missing"));
}
