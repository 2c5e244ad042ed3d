// @ts-check
/**
 * The bottom panel: the hand, the options and the confirm bar. The hand stays in place also while others play.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("../base/api.js").Zone} Zone
 * @typedef {import("./table.js").Table} Table
 */

import { h } from "../base/dom.js";
import { seatName } from "../base/game.js";
import { t } from "../base/words.js";
import { isDomino } from "../cards/domino_drawings.js";
import { isEqual } from "../choose_action/action_parameters.js";
import { drawConfirmBar } from "../choose_action/confirm_bar.js";
import { shortChanges } from "../choose_action/foresight.js";
import { codesOf, drawHands } from "../choose_action/hand.js";
import { cardsInAction, cardsInDraft } from "../choose_action/narrowing.js";
import { drawOptions } from "../choose_action/options.js";
import { TableSpots } from "../choose_action/table_spots.js";
import { drawDrawn } from "../table_areas/drawn.js";
import { drawWaiting } from "./waiting_for_others.js";

/**
 * The zones drawn here: the user's hand, and other private zones if cards are chosen from them now or there is no hand.
 * @param {Table} table @param {Game} game @param {import("../zones/zone_layout.js").Places} places
 */
export function zonesInPanel(table, game, { hand, mine }) {
  const named = new Set(table.sending ? [] : game.legal.flatMap(each => cardsInAction(table.types, each)));
  const held = hand?.count ? [hand] : [];
  return [...held, ...mine.filter(zone => !held.length || codesOf(zone).some(code => named.has(code)))];
}

/** What on the table can be chosen. @param {Table} table @param {Game} game @param {import("../base/api.js").View} view @param {Zone[]} panelZones */
export function spotsOnTable(table, game, view, panelZones) {
  return new TableSpots({
    view, me: game.seat, legal: table.sending ? [] : game.legal, types: table.types, draft: table.draft, reading: table.reading, hand: panelZones.flatMap(codesOf),
    tapCard: (code, held) => table.draftAfterTap(code, held), choose: draft => table.choose(draft),
  });
}

/** @param {Table} table @param {Game} game @param {import("./seats.js").ScreenState} screen */
export function drawBottomPanel(table, game, screen) {
  const choice = game.legal.length && !table.sending ? actionChoosing(table, game, screen) : null;
  return h("section", { className: "bottom-panel", key: "bottom-panel", "aria-label": t("bar") },
    choice && drawOptions(choice),
    screen.panelZones.length > 0 && drawHands(screen.panelZones, handPicking(table, screen.panelZones.flatMap(codesOf)), () => table.redraw(), drawDrawn(screen.view, screen.places, game.seat)),
    choice ? drawConfirmBar(choice) : drawWaiting(table, game));
}

/** @param {Table} table @param {string[]} cards all that are drawn here: as soon as one can be picked, the others are dimmed @returns {import("../choose_action/hand.js").Picking} */
function handPicking(table, cards) {
  const { left } = table.reading;
  const ordered = left.length > 0 && left.every(({ action }) => table.types[action.type]?.parameters.some(({ kind, name }) => kind === "sequence" && name in action));
  const picked = cardsInDraft(table.types, table.draft);
  const named = new Set(table.sending ? [] : table.game?.legal.flatMap(each => cardsInAction(table.types, each)));
  return {
    active: cards.some(code => named.has(code)),
    held: (code, nth) => picked.filter(each => each === code).length > nth,
    order: code => (ordered ? picked.indexOf(code) + 1 : 0),
    possible: (code, held) => table.draftAfterTap(code, held) !== null,
    tap(code, held) {
      const draft = table.draftAfterTap(code, held);
      if (draft) table.choose(draft);
    },
  };
}

/** @param {Table} table @param {Game} game @param {import("./seats.js").ScreenState} screen @returns {import("../choose_action/options.js").Choosing} */
function actionChoosing(table, game, screen) {
  const { pointing } = screen;
  const hand = screen.panelZones.flatMap(codesOf);
  const picked = cardsInDraft(table.types, { ...table.draft, chosen: null });
  const { reading } = table;
  const pieces = hand.length > 0 && hand.every(isDomino) ? "tiles" : "cards";
  const inHand = reading.left.some(each => cardsInAction(table.types, each).some(card => hand.includes(card)));
  return {
    reading,
    types: table.types,
    draft: table.draft,
    steps: table.steps.count,
    unsent: table.unsent !== null,
    changes: shortChanges(screen.changes, game.seat),
    chosen: table.draft.chosen !== null,
    pieces,
    tappable: inHand ? pieces : pointing.any ? "places" : null,
    picked: picked.filter(card => !hand.includes(card) && !pointing.cards.has(card)),
    others: pointing.others,
    seatName: seat => seatName(game, seat),
    shown({ card, value, draft: { chosen } }, { about, parameter }) {
      if (card) return hand.includes(card) || pointing.cards.has(card);
      if (about === "value" && parameter) return reading.left.some(({ action }) => isEqual(action[parameter.name], value) && pointing.shows(action, parameter));
      return about === "all" && chosen !== null && pointing.leadsTo(chosen, reading.left);
    },
    putBack: card => table.choose(table.draftAfterTap(card, true) ?? table.draft),
    choose: draft => table.choose(draft),
    undo: () => table.undo(),
    startOver: () => table.startOver(),
    confirm: () => table.confirm(),
  };
}
