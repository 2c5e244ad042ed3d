// @ts-check
/**
 * The bottom panel: the hand, the options and the confirm bar. The hand stays in place also while others play.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").Zone} Zone
 * @typedef {import("../state/table.js").Table} Table
 */

import { h } from "../../base/dom.js";
import { seatName } from "../../base/game.js";
import { language, t } from "../../base/words.js";
import { cardMeant, drawDrawn } from "../../cards/areas/drawn.js";
import { isDomino } from "../../cards/domino_drawings.js";
import { isEqual, leadsToWanted, toTry } from "../choosing/action_parameters.js";
import { drawConfirmBar } from "../choosing/confirm_bar.js";
import { shortChanges } from "../choosing/foresight.js";
import { codesOf, drawHands } from "../choosing/hand.js";
import { FEW_LINES } from "../choosing/lines_of_buttons.js";
import { cardsInAction, cardsInDraft } from "../choosing/narrowing.js";
import { drawOptions } from "../choosing/options.js";
import { nextChoices } from "../choosing/room_for_options.js";
import { TableSpots } from "../choosing/table_spots.js";
import { openOrders, takesOrders } from "../../time/orders_here.js";
import { drawWaiting } from "./waiting_for_others.js";

/**
 * The zones drawn here: the user's hand, and other private zones if cards are chosen from them now or there is no hand.
 * @param {Table} table @param {import("../../cards/zones/zone_layout.js").Places} places
 */
export function zonesInPanel(table, { hand, mine }) {
  const named = new Set(table.action.legal.flatMap(each => cardsInAction(table.types, each)));
  const held = hand?.count ? [hand] : [];
  return [...held, ...mine.filter(zone => !held.length || codesOf(zone).some(code => named.has(code)))];
}

/** What on the table can be chosen. @param {Table} table @param {Game} game @param {import("../../base/api.js").View} view @param {Zone[]} panelZones */
export function spotsOnTable(table, game, view, panelZones) {
  const { action, types } = table;
  return new TableSpots({
    view, me: game.seat, legal: action.legal, types, draft: action.draft, reading: action.reading, hand: panelZones.flatMap(codesOf),
    wanted: toTry(game, action.reading), tapCard: (code, held) => action.draftAfterTap(code, held), choose: draft => action.choose(draft), refuse: touched => action.refuse(touched),
  });
}

/** @param {Table} table @param {Game} game @param {import("./seats.js").ScreenState} screen @param {import("../../base/dom.js").Child} [told]  stands where nothing can be chosen */
export function drawBottomPanel(table, game, screen, told = null) {
  const choice = game.legal.length && !table.action.sending && screen.pointing ? actionChoosing(table, game, screen.pointing, screen) : null;
  const room = choice ? roomForOptions(table, game, screen) : [];
  const crowded = choice && table.action.room.lines > FEW_LINES;
  return h("section", { className: crowded ? "bottom-panel crowded" : "bottom-panel", key: "bottom-panel", "aria-label": t("bar") },
    choice && drawOptions({ ...choice, room }),
    screen.panelZones.length > 0 && drawHands(screen.panelZones, handPicking(table, screen.panelZones.flatMap(codesOf), screen), () => table.redraw(), drawDrawn(screen.view, screen.places, game.seat)),
    choice ? drawConfirmBar(choice) : (told ?? drawWaiting(table, game)));
}

/** @param {Table} table @param {string[]} cards  all that are drawn here: as soon as a card can be picked, here or on the table, the others are dimmed @param {import("./seats.js").ScreenState} screen @returns {import("../choosing/hand.js").Picking} */
function handPicking({ action: own, types }, cards, screen) {
  const { left } = own.reading;
  const ordered = left.length > 0 && left.every(({ action }) => types[action.type]?.parameters.some(({ kind, name }) => kind === "sequence" && name in action));
  const { ready } = own.reading;
  const picked = ready && own.steps.count === 0 ? cardsInAction(types, ready) : cardsInDraft(types, own.draft); // the only action is chosen already
  const named = new Set(own.legal.flatMap(each => cardsInAction(types, each)));
  const wanted = toTry(screen.game, own.reading);
  return {
    active: (screen.pointing?.cards.size ?? 0) > 0 || cards.some(code => named.has(code)),
    held: (code, nth) => picked.filter(each => each === code).length > nth,
    order: code => (ordered ? picked.indexOf(code) + 1 : 0),
    placed: code => (screen.sealed.known.get(screen.game.seat ?? -1) ?? []).includes(code),
    possible: (code, held) => own.draftAfterTap(code, held) !== null,
    tried: (code, held) => !held && leadsToWanted(wanted, types, own.draftAfterTap(code, held)),
    tap(code, held) {
      const draft = own.draftAfterTap(code, held);
      if (draft) own.choose(draft);
    },
    refuse: card => own.refuse({ card }),
  };
}

/** What keeps room for the options that touches may bring. @param {Table} table @param {Game} game @param {import("./seats.js").ScreenState} screen */
function roomForOptions(table, game, screen) {
  const { pointing } = screen;
  return table.action.room.of([game.asked, language(), game.legal.length].join(" "), () =>
    pointing ? nextChoices(pointing.pointing, each => new TableSpots(each, pointing), spots => actionChoosing(table, game, spots, screen)) : []);
}

/** @param {Table} table @param {Game} game @param {TableSpots} spots @param {import("./seats.js").ScreenState} screen @returns {import("../choosing/options.js").Choosing} */
function actionChoosing(table, game, spots, screen) {
  const { action: own, types } = table;
  const { draft, reading } = spots.pointing;
  const hand = screen.panelZones.flatMap(codesOf);
  const picked = cardsInDraft(types, { ...draft, chosen: null });
  const pieces = hand.length > 0 && hand.every(isDomino) ? "tiles" : "cards";
  const inHand = reading.left.some(each => cardsInAction(types, each).some(card => hand.includes(card) && !picked.includes(card)));
  return {
    reading,
    types,
    draft,
    steps: own.steps.count,
    unsent: own.unsent.now !== null,
    changes: shortChanges(screen.changes, game.seat),
    whyNot: own.whyNot.words,
    chosen: draft.chosen !== null,
    wanted: spots.pointing.wanted,
    pieces,
    tappable: inHand ? pieces : spots.any ? "places" : null,
    picked: picked.filter(card => !hand.includes(card) && !spots.cards.has(card)),
    others: spots.others,
    seatName: seat => seatName(game, seat),
    shown({ card, value, draft: { chosen } }, { about, parameter }) {
      if (card) return hand.includes(card) || spots.cards.has(card);
      if (about === "value" && parameter) return reading.left.some(({ action }) => isEqual(action[parameter.name], value) && spots.shows(action, parameter));
      return about === "all" && chosen !== null && spots.leadsTo(chosen, reading.left);
    },
    cardMeant: (parameter, value) => cardMeant(screen.view, screen.places, game.seat, parameter, value),
    putBack: card => own.choose(own.draftAfterTap(card, true) ?? own.draft),
    choose: next => own.choose(next),
    undo: () => own.undo(),
    startOver: () => table.startOver(),
    confirm: () => own.confirm(),
    keeps: game.changes !== undefined,
    orders: takesOrders(game) && (() => openOrders(table.path)),
  };
}
