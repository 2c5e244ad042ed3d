// @ts-check
/**
 * The hand and the action bar, within reach of the thumb; the hand stays where it is, whoever's turn it is.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Zone} Zone
 * @typedef {import("./table.js").Table} Table
 */

import { post } from "./api.js";
import { drawOptions, drawVerdict } from "./bar.js";
import { codeOf } from "./cards.js";
import { cardsIn, cardsOf, touched } from "./choice.js";
import { h } from "./dom.js";
import { isDomino } from "./dominoes.js";
import { drawHand } from "./hand.js";
import { tell } from "./notice.js";
import { placeIn, placeOf } from "./point.js";
import { toTable } from "./route.js";
import { seatName } from "./seats.js";
import { ago, clock } from "./time.js";
import { t } from "./words.js";

/**
 * The zones of mine that are drawn here: my hand, and what nobody else sees if I choose from it now or have no hand.
 * @param {Table} table @param {Game} game @param {import("./layout.js").Places} places
 */
export function docked(table, game, { hand, mine }) {
  const named = new Set(table.sending ? [] : game.legal.flatMap(each => cardsIn(table.types, each)));
  const held = hand?.count ? [hand] : [];
  return [...held, ...mine.filter(zone => !held.length || codes(zone).some(code => named.has(code)))];
}

/** How a place on the table is chosen; null: nothing that can be done now names one. @param {Table} table @param {import("./api.js").View} view @returns {import("./grid.js").Spots | null} */
export function spots(table, view) {
  const grids = view.zones.filter(({ kind }) => kind === "grid");
  const may = !table.sending && grids.length === 1;
  if (!may || !table.game?.legal.some(({ action }) => placeOf(table.types, action))) return null;
  return {
    held: place => placeIn(table.types, table.draft) === place,
    possible: place => table.pointed(place) !== null,
    tap(place) {
      const draft = table.pointed(place);
      if (draft) table.choose(draft);
    },
  };
}

/** @param {Table} table @param {Game} game @param {import("./seats.js").Scene} scene */
export function drawDock(table, game, scene) {
  const choice = game.legal.length && !table.sending ? choosing(table, game, scene) : null;
  return h("section", { className: "dock", key: "dock", "aria-label": t("bar") },
    choice && drawOptions(choice),
    scene.docked.length > 0 && h("div", { className: "hands", key: "hands" }, scene.docked.map(zone => drawHand(zone, picking(table, codes(zone)), () => table.redraw()))),
    choice ? drawVerdict(choice) : idle(table, game));
}

/** @param {Table} table @param {string[]} cards @returns {import("./hand.js").Picking} */
function picking(table, cards) {
  const { left } = table.reading;
  const ordered = left.length > 0 && left.every(({ action }) => table.types[action.type]?.parameters.some(({ kind, name }) => kind === "sequence" && name in action));
  const picked = cardsOf(table.types, table.draft);
  const named = new Set(table.sending ? [] : table.game?.legal.flatMap(each => cardsIn(table.types, each)));
  return {
    active: cards.some(code => named.has(code)),
    held: (code, nth) => picked.filter(each => each === code).length > nth,
    order: code => (ordered ? picked.indexOf(code) + 1 : 0),
    possible: (code, held) => table.tapped(code, held) !== null,
    tap(code, held) {
      const draft = table.tapped(code, held);
      if (draft) table.choose(draft);
    },
  };
}

/** @param {Table} table @param {Game} game @param {import("./seats.js").Scene} scene @returns {import("./bar.js").Choosing} */
function choosing(table, game, scene) {
  const hand = scene.docked.flatMap(codes);
  const picked = cardsOf(table.types, { ...table.draft, chosen: null });
  const { reading } = table;
  const pieces = hand.length > 0 && hand.every(isDomino) ? "tiles" : "cards";
  const inHand = reading.left.some(each => cardsIn(table.types, each).some(card => hand.includes(card)));
  return {
    reading,
    types: table.types,
    draft: table.draft,
    touched: touched(table.draft),
    chosen: table.draft.chosen !== null,
    pieces,
    tappable: scene.spots ? "places" : inHand ? pieces : null,
    picked: picked.filter(card => !hand.includes(card)),
    seatName: seat => seatName(game, seat),
    shown({ card, value, draft: { chosen } }, { about, parameter }) {
      if (card) return hand.includes(card);
      if (about === "value" && parameter?.kind === "position") return scene.spots?.possible(value) ?? false;
      const cards = about === "all" && chosen ? cardsIn(table.types, chosen) : [];
      return cards.length > picked.length && cards.every(each => hand.includes(each));
    },
    putBack: card => table.choose(table.tapped(card, true) ?? table.draft),
    choose: draft => table.choose(draft),
    undo: () => table.undo(),
    confirm: () => table.confirm(),
  };
}

/** @param {Zone} zone */
function codes({ cards = [] }) {
  return cards.map(codeOf).filter(code => code !== null);
}

/** What stands in the place of the action bar while there is nothing to choose. @param {Table} table @param {Game} game */
function idle(table, game) {
  const since = game.waiting[0]?.since;
  if (table.sending) return h("div", { className: "verdict idle", key: "idle" }, h("p", { className: "soft" }, t("sending")));
  return h("div", { className: "verdict idle", key: "idle" },
    h("p", { className: "soft small" }, since && t("turn.since", { time: clock(since), ago: ago(since) }), " ", game.seat !== null && t("turn.leave")),
    mayNudge(game) && h("button", { type: "button", id: "nudge", onclick: () => nudge(table, game) }, t("nudge")),
    table.next && h("a", { className: "button main", href: toTable(table.next.id) }, t("turn.next", { name: table.next.ruleset.name })));
}

/** Somebody who sits there may ask the person who keeps everybody waiting. @param {Game} game */
function mayNudge({ seat, waiting, seats, paused }) {
  const people = seats.filter(({ house, you }) => !house && !you).map(each => each.seat);
  return seat !== null && !paused && waiting.some(each => people.includes(each.seat));
}

/** @param {Table} table @param {Game} game */
function nudge(table, game) {
  return table.attempt(async () => {
    const { seat } = await post(`${table.path}/nudge`);
    tell(t("nudge.done", { name: seatName(game, seat) }));
  });
}
