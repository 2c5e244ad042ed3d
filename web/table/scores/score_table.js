// @ts-check
/**
 * A table with a row for each deal and a column for each player; a row opens to say in words how its numbers came about.
 *
 * @typedef {import("./scores.js").Deal} Deal
 * @typedef {import("./scores.js").Entry} Entry
 * @typedef {object} ScoreTable
 * @property {import("../../base/api.js").Game} game
 * @property {Deal[]} deals
 * @property {(deal: Deal) => boolean} isOpen
 * @property {(deal: Deal) => void} toggle
 * @property {(number: number) => void} lookBack  Shows the table after an event.
 */

import { h } from "../../base/dom.js";
import { toPosition } from "../../base/routes.js";
import { colourCards, t } from "../../base/words.js";

const MINUS = "−";
/** The most names that stand side by side on a phone. */
const MOST_ABREAST = 4;

/** @param {ScoreTable} shown */
export function drawScoreTable(shown) {
  const { game, deals } = shown;
  const last = deals[deals.length - 1];
  return h("section", { className: "score-table", key: "score-table", "aria-labelledby": "score-table" },
    h("h2", { id: "score-table" }, t("scores")),
    h("div", { className: "wide", tabindex: 0, role: "group", "aria-label": t("scores") },
      h("table", { className: `${game.seats.length > 2 ? "several" : ""}${game.seats.length > MOST_ABREAST ? " upright" : ""}` },
        h("thead", {}, h("tr", {}, h("td", {}), inSeats(game).map(({ name, seat }) => h("th", { scope: "col", className: isWinner(game, seat) ? "won" : "", title: name }, h("span", {}, name))))),
        deals.map(deal => drawDeal(shown, deal)),
        deals.length > 1 && h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("scores.total")), inSeats(game).map(({ seat }) => h("td", { className: isWinner(game, seat) ? "won" : "" }, signless(last.totals[seat]))))))));
}

/** @param {ScoreTable} shown @param {Deal} deal */
function drawDeal(shown, deal) {
  const { game } = shown;
  const open = shown.isOpen(deal);
  return h("tbody", { key: `${deal.name} ${deal.number}` },
    h("tr", {},
      h("th", { scope: "row" }, h("button", { type: "button", className: "plain", "aria-expanded": open, onclick: () => shown.toggle(deal) }, deal.words)),
      inSeats(game).map(({ seat }) => h("td", {}, signed(deal.scores[seat])))),
    open && h("tr", { className: "entries", key: "entries" }, h("td", { colspan: game.seats.length + 1 }, h("div", {}, inSeats(game).map(({ name, seat }) => drawEntries(shown, name, deal.entries.filter(entry => entry.seat === seat)))))));
}

/** What one player got in a deal, each with a link to the table as it was then. @param {ScoreTable} shown @param {string} name @param {Entry[]} entries */
function drawEntries({ game, lookBack }, name, entries) {
  if (!entries.length) return null;
  const clicked = (/** @type {MouseEvent} */ click, /** @type {Entry} */ { event }) => {
    click.preventDefault();
    lookBack(event);
  };
  return h("section", {}, h("h3", {}, name),
    h("ul", {}, entries.map(entry => h("li", {},
      h("a", { href: toPosition(game.id, entry.event), onclick: (/** @type {MouseEvent} */ click) => clicked(click, entry) }, colourCards(entry.words)),
      h("span", { className: "value" }, signed(entry.value))))));
}

/** The players in the order of their seats. @param {import("../../base/api.js").Game} game */
function inSeats({ seats }) {
  return seats.map(({ name, seat }) => ({ name, seat: seat ?? 0 }));
}

/** @param {import("../../base/api.js").Game} game @param {number} seat */
function isWinner({ result }, seat) {
  return result?.winners.includes(seat) ?? false;
}

/** "+3", "−3" or "0". @param {number} value */
function signed(value) {
  return value > 0 ? `+${value}` : signless(value);
}

/** @param {number} value */
function signless(value) {
  return value < 0 ? `${MINUS}${-value}` : String(value);
}
