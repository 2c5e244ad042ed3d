// @ts-check
/**
 * The hand and the action bar, within reach of the thumb; the hand stays where it is, whoever's turn it is.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./table.js").Table} Table
 */

import { drawOptions, drawVerdict } from "./bar.js";
import { codeOf } from "./cards.js";
import { cardsIn, cardsOf, touched } from "./choice.js";
import { h } from "./dom.js";
import { drawHand } from "./hand.js";
import { toTable } from "./route.js";
import { seatName } from "./seats.js";
import { ago, clock } from "./time.js";
import { t } from "./words.js";

/** @param {Table} table @param {Game} game @param {import("./zones.js").Places} places */
export function drawDock(table, game, places) {
  const choice = game.legal.length && !table.sending ? choosing(table, game, places) : null;
  return h("section", { className: "dock", key: "dock", "aria-label": t("bar") },
    choice && drawOptions(choice),
    places.hand && drawHand(places.hand, picking(table), () => table.redraw()),
    choice ? drawVerdict(choice) : idle(table, game));
}

/** @param {Table} table @returns {import("./hand.js").Picking} */
function picking(table) {
  const { left } = table.reading;
  const ordered = left.length > 0 && left.every(({ action }) => table.types[action.type]?.parameters.some(({ kind, name }) => kind === "sequence" && name in action));
  const { picked } = table;
  return {
    active: !table.sending && (table.game?.legal.length ?? 0) > 0,
    held: (code, nth) => picked.filter(each => each === code).length > nth,
    order: code => (ordered ? picked.indexOf(code) + 1 : 0),
    possible: (code, held) => table.tapped(code, held) !== null,
    tap(code, held) {
      const draft = table.tapped(code, held);
      if (draft) table.choose(draft);
    },
  };
}

/** @param {Table} table @param {Game} game @param {import("./zones.js").Places} places @returns {import("./bar.js").Choosing} */
function choosing(table, game, places) {
  const hand = (places.hand?.cards ?? []).map(codeOf);
  return {
    reading: table.reading,
    touched: touched(table.draft),
    chosen: table.draft.chosen !== null,
    seatName: seat => seatName(game, seat),
    inHand({ card, draft: { chosen } }, { about }) {
      if (card) return hand.includes(card);
      const cards = about === "all" && chosen ? cardsIn(table.types, chosen) : [];
      return cards.length > cardsOf(table.types, { ...table.draft, chosen: null }).length && cards.every(card => hand.includes(card));
    },
    choose: draft => table.choose(draft),
    undo: () => table.undo(),
    confirm: () => table.confirm(),
  };
}

/** What stands in the place of the action bar while there is nothing to choose. @param {Table} table @param {Game} game */
function idle(table, game) {
  const since = game.waiting[0]?.since;
  if (table.sending) return h("div", { className: "verdict idle", key: "idle" }, h("p", { className: "soft" }, t("sending")));
  return h("div", { className: "verdict idle", key: "idle" },
    h("p", { className: "soft small" }, since && t("turn.since", { time: clock(since), ago: ago(since) }), " ", game.seat !== null && t("turn.leave")),
    table.next && h("a", { className: "button main", href: toTable(table.next.id) }, t("turn.next", { name: table.next.ruleset.name })));
}
