// @ts-check
/**
 * What is seen of an event before the table goes on: the cards as they lay, the sentences, and the way on.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").GameEvent} GameEvent
 * @typedef {import("../replay/happened.js").Step} Step
 * @typedef {import("../state/table.js").Table} Table
 */

import { h } from "../../base/dom.js";
import { colourCards, t } from "../../base/words.js";
import { drawMiddle } from "../../cards/areas/middle.js";
import { ALL_OPEN } from "../fit/strips.js";
import { CHOSEN } from "../replay/sections.js";
import { drawBottomPanel, zonesInPanel } from "./bottom_panel.js";
import { drawOthers, drawSeat } from "./seats.js";
import { lookedAt, seatsInOrder } from "./still_table.js";

/** The moment at which a deal is scored. */
const SCORED = "deal";

/** A touch anywhere goes on, not the button alone. @param {Table} table @param {Game} game @param {Step} step */
export function drawHappened(table, game, step) {
  const { layout, types, talk } = table;
  const isEnd = step.result !== null;
  const isScored = step.event.moment === SCORED && step.stays && !isEnd;
  const view = step.stays ? turnUpDrawn(step.view, layout, step.event) : step.view;
  const seen = lookedAt({ view, game, layout, types, talk, before: null, open: step.stays }, isEnd ? null : game.seat);
  const screen = { ...seen, panelZones: zonesInPanel(table, seen.places), opened: isEnd ? null : isScored ? ALL_OPEN : table.opened };
  const isWhole = isScored || isEnd; // all hands may lie open: the page scrolls
  const [mine, others] = seatsInOrder(game);
  const touched = (/** @type {MouseEvent} */ { target, timeStamp }) => {
    if (!(/** @type {Element} */ (target).closest("button:not([aria-disabled=true]), a, summary"))) table.happened.touch(timeStamp);
  };
  return h("div", { className: isWhole ? "play happening" : `play fits happening ${table.fit.classes}`, key: "play", "data-number": step.event.number, onclick: touched },
    drawOthers(screen, isEnd ? [...mine, ...others] : others),
    drawMiddle(screen),
    !isEnd && mine.map(seat => drawSeat(screen, seat)),
    drawBottomPanel(table, screen.game, screen, drawTold(step, table)));
}

/** What the user has drawn lies turned up at its place: the sentences say what it is. @param {import("../../base/api.js").View} view @param {import("../../base/api.js").Area[]} layout @param {GameEvent} event */
function turnUpDrawn(view, layout, { lines }) {
  const names = layout.filter(({ kind }) => kind === "drawn").flatMap(({ zones }) => zones);
  const drawn = new Map(lines.filter(({ at, card }) => typeof at === "number" && typeof card === "string").map(({ at, card }) => [at, card]));
  return { ...view, zones: view.zones.map(zone => (names.includes(zone.name) ? { ...zone, cards: zone.cards?.map((face, n) => drawn.get(n) ?? face) } : zone)) };
}

/** @param {Step} step @param {Game} game @returns {import("../../base/controls/sound.js").Sound} */
export function soundOf({ event, stays, result }, game) {
  if (result !== null) return game.result?.winners.includes(game.seat ?? -1) ? "win" : "reveal";
  if (!stays || event.moment === "trick" || event.moment === "round") return "card";
  return event.moment === "sale" ? "coin" : "reveal";
}

/** In the place of what is asked. @param {Step} step */
export function drawStopped({ view, result }) {
  return h("span", { role: "status", key: "status" }, result ?? view.prompt_words);
}

/** What is read to those who do not see it; the status line says the result. @param {Step} step */
export function readOut({ event }) {
  return sentences(event).map(({ words }) => words).join(" ");
}

/** What it came to stands above how it came to that: it is in view, however much there is to tell. How much is not, the history tells. @param {Step} step @param {Table} table */
function drawTold({ event, stays, result }, { happened, panel }) {
  const told = sentences(event);
  return h("div", { className: "confirm-bar happened", key: "happened" },
    h("div", { className: "told", key: `told ${event.number}`, tabindex: 0, onscroll: happened.look },
      result && h("p", { className: "outcome" }, colourCards(result)),
      told.map(({ words, outcome }) => h("p", { className: outcome ? "outcome" : null }, colourCards(words)))),
    h("div", { className: "ways", key: "ways" },
      stays && h("button", { type: "button", className: "plain", id: "cut", key: "cut", "data-control": true, hidden: true, onclick: () => panel.open("history") }),
      happened.hasMore && h("button", { type: "button", id: "skip-all", key: "skip-all", "data-control": true, onclick: () => happened.skip() }, t("moment.skip")),
      stays && h("button", { type: "button", className: "main", id: "go-on", key: "go-on", "data-control": true, onclick: () => happened.goOn() }, t("moment.go-on"))));
}

/** What it came to first. That somebody has chosen in secret says nothing once the choices are open. @param {GameEvent} event */
function sentences({ lines, opened = [] }) {
  const told = lines.filter(({ line }) => line !== CHOSEN || !opened.length);
  return [...told.filter(({ outcome }) => outcome), ...told.filter(({ outcome }) => !outcome)];
}
