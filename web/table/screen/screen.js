// @ts-check
/**
 * The screen of a table: status line, seats, middle, bottom panel, side panel.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../state/table.js").Table} Table
 */

import { justAppeared } from "../../base/controls/just_appeared.js";
import { announce } from "../../base/controls/live_region.js";
import { playSound } from "../../base/controls/sound.js";
import { h, update } from "../../base/dom.js";
import { isAsked, isCalled } from "../../base/game.js";
import { drawLogo } from "../../base/icons.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { colourCards, t } from "../../base/words.js";
import { drawMiddle } from "../../cards/areas/middle.js";
import { rememberTable, withMoves } from "../../cards/zones/fresh_cards.js";
import { zoneSpot } from "../../cards/zones/spots.js";
import { arrangeZones } from "../../cards/zones/zone_layout.js";
import { drawHint, hintFor } from "../../lobby/waiting_room/hints.js";
import { drawCoach } from "../../rules_page/coach.js";
import { drawLesson, readLesson } from "../../rules_page/lesson.js";
import { drawProposalsToAnswer } from "../../time/proposals.js";
import { drawTakeBack } from "../../time/resignation.js";
import { withChanges } from "../choosing/foresight.js";
import { layFaceDown } from "../choosing/sealed_choices.js";
import { isBesideTable } from "../fit/size.js";
import { findCards, glide } from "../replay/card_moves.js";
import { followNewest } from "../replay/history_list.js";
import { drawMissed, missedBy } from "../replay/missed.js";
import { drawReplayBar } from "../replay/replay_bar.js";
import { drawBottomPanel, spotsOnTable, zonesInPanel } from "./bottom_panel.js";
import { keepFocus } from "./focus.js";
import { drawResult, drawSums } from "./result.js";
import { drawOthers, drawSeat } from "./seats.js";
import { drawPanelButtons, drawSidePanel, redrawSidePanel } from "./side_panel.js";
import { drawStatusLine } from "./status_line.js";
import { drawEarlier, seatsInOrder } from "./still_table.js";
import { drawTableMenu } from "./table_menu.js";
import { drawHappened, drawStopped, readOut, soundOf } from "./what_happened.js";

const LATEST_LINES = 3;

/** Draws the table in place. @param {Table} table */
export function drawScreen(table) {
  const { game, main } = table;
  if (!game) return;
  setTitle(isCalled(game), game.ruleset.name);
  const [keepPlace, follow] = [keepFocus(main), followNewest(main)];
  const before = table.hasMoved ? findCards(main) : null;
  const { step } = table.happened;
  update(main,
    h("div", { className: "top", key: "top" },
      h("a", { className: "home", href: "/", "aria-label": t("to.lobby") }, drawLogo()), h("h1", {}, game.ruleset.name), drawPanelButtons(table, game), drawTableMenu(table, game)),
    h("p", { className: isAsked(game) ? "status-line mine" : "status-line", key: "status-line", tabindex: -1 }, step ? drawStopped(step) : drawStatusLine(game), table.lastKnown.draw()),
    game.status === "open" ? table.waitingRoom.draw(game) : table.replay.at !== null ? drawPast(table, game) : step ? drawHappened(table, game, step) : drawPlay(table, game),
    drawSidePanel(table, game, hintBesideTable(table, game)));
  table.fit.apply(main, step ? undefined : game.asked, table.action.steps.count > 0);
  const last = step?.event ?? table.history.events.findLast(({ number }) => number <= game.number);
  const motion = before ? glide(main, before, last) : 0;
  table.hasMoved = false;
  if (!step) {
    if (before && !isAsked(game)) playSound("card");
  } else if (table.replay.at === null && table.happened.drawn(motion) && step.event.lines.length) playSound(soundOf(step, game));
  announce([table.lastKnown.words, step ? readOut(step) : readLesson(game)].filter(Boolean).join(" "));
  tellMoves(table, game);
  follow();
  keepPlace();
  const panel = main.querySelector(".bottom-panel");
  if (panel && !step && table.happened.hasJustPassed) justAppeared(panel, undefined, true);
}

/** Draws only the side panel anew, and the buttons that open it: the table is as it was. @param {Table} table */
export function drawDrawer(table) {
  if (table.game) redrawSidePanel(table, table.game, hintBesideTable(table, table.game));
}

/** Lest it take the room of the table. @param {Table} table @param {Game} game */
function hintBesideTable(table, game) {
  return isBesideTable() && drawHint(hintAt(table, game));
}

/** @param {Table} table @param {Game} game */
function hintAt(table, game) {
  return game.view && !game.lesson && table.replay.at === null ? hintFor(game, table.lastLook.hasActed, () => table.redraw()) : null;
}

/** Says of each new card who moved it there. @param {Table} table @param {Game} game */
function tellMoves({ main, history }, game) {
  const missed = missedBy(game, history);
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll(".play .fresh[data-code]"))) {
    const names = (/** @type {any} */ values) => JSON.stringify(values).includes(`"${card.dataset.code}"`);
    const told = missed.findLast(({ event: { action, opened }, lines }) => names([action, opened, lines]));
    if (!told) continue;
    const { words } = names([told.event.action, told.event.opened]) ? told.lines[0] : (told.lines.find(names) ?? told.lines[0]);
    card.title = words;
    card.setAttribute("aria-description", words);
  }
}

/** What happened meanwhile, help in a first game, or else the latest lines. @param {Table} table @param {Game} game */
function drawNews(table, game) {
  const [missed, coach] = [drawMissed(game, table), drawLesson(game) ?? drawCoach(table, game)];
  return missed || coach ? [missed, coach] : table.history.drawLatest(game, LATEST_LINES);
}

/** An earlier table: nobody is waited for, and one's own hand lies at one's seat. @param {Table} table @param {Game} game */
function drawPast(table, game) {
  const position = table.replay.position(game);
  const isEnd = game.result !== null && table.replay.at === game.number;
  const { types, layout, talk } = table;
  return h("div", { className: "play past", key: "play" }, drawReplayBar(table.replay, game, position),
    position && drawEarlier({ view: position.view, game, layout, types, talk, before: position.before && rememberTable(position.before, null, []), open: position.open }),
    position && isEnd && drawResult(game),
    table.analysis?.draw());
}

/** @param {Table} table @param {Game} game */
function drawPlay(table, game) {
  if (!game.view) return null;
  const changes = table.action.foresight.changes(game, table.action.reading.ready);
  const sealed = layFaceDown(withChanges(game.result ? table.scores.turnUp(game.view) : game.view, changes), table.types);
  const { view } = sealed;
  const me = game.result ? null : game.seat;
  const panelZones = zonesInPanel(table, arrangeZones(view.zones, me, () => false, table.layout));
  const pointing = spotsOnTable(table, game, view, panelZones);
  const places = arrangeZones(view.zones, me, zone => pointing.choices.has(zoneSpot(zone)), table.layout);
  const screen = { game, view, places, changes, before: withMoves(table.lastLook.table, table.history.movesSince(game)), panelZones, talk: table.talk, spots: pointing, pointing, sealed, opened: game.result ? null : table.opened };
  const [mine, others] = seatsInOrder(game);
  return h("div", { className: game.result ? "play over" : `play fits ${table.fit.classes}`, key: "play", "data-number": game.number },
    drawProposalsToAnswer(table, game),
    !isBesideTable() && drawHint(hintAt(table, game)),
    drawTakeBack(table, game),
    game.result && drawLesson(game),
    drawResult(game, table),
    game.status === "running" && drawNews(table, game),
    drawOthers(screen, game.result ? [...mine, ...others] : others),
    drawMiddle(screen),
    !game.result && mine.map(seat => drawSeat(screen, seat)),
    game.result && drawSums(game, table),
    game.status === "running" && drawBottomPanel(table, game, screen));
}
