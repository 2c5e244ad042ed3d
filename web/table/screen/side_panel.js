// @ts-check
/**
 * The side panel, on a phone a drawer over the table: history, talk, time, rules.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../state/table.js").Table} Table
 */

import { h, updateElement } from "../../base/dom.js";
import { drawIcon } from "../../base/icons.js";
import { isNonceUsed } from "../../base/nonces.js";
import { t } from "../../base/words.js";
import { isBesideTable } from "../fit/size.js";
import { followNewest } from "../replay/history_list.js";
import { drawPlayMissed, missedBy } from "../replay/missed.js";
import { tabsOf } from "../state/panel.js";

/** Drawn also while nobody sees them, lest what is being typed there be lost. */
const KEPT = ["talk", "time"];

/** @type {Record<string, string>} */
const ICONS = {
  history: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  talk: "M4 5h16v11H11l-5 4v-4H4z",
  time: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 7v5l3.5 2",
  rules: "M5 17.5V6a2.5 2.5 0 0 1 2.5-2.5H19v17H7.5a2.5 2.5 0 0 1 0-5H19",
};

/** The buttons that open a drawer on a phone. @param {Table} table @param {Game} game */
export function drawPanelButtons(table, game) {
  return h("div", { className: "tools" }, tabsOf(game).map(name => {
    const unread = countNew(table, game, name);
    const told = { n: unread };
    const label = unread === 0 ? t(name) : name === "talk" ? t("talk.unread", told) : t("history.unread", told);
    return h("button", { type: "button", className: "plain", key: name, "data-drawer": name, "aria-label": label, title: label, "aria-expanded": table.panel.drawer === name, onclick: () => table.panel.open(table.panel.drawer === name ? "" : name) },
      drawIcon(ICONS[name]), drawBadge(unread));
  }));
}

/** What the user has not seen there yet. @param {Table} table @param {Game} game @param {string} name of the tab */
function countNew(table, game, name) {
  if (name === "talk") return table.talk.unread;
  return name === "history" ? missedBy(game, table.history).length : 0;
}

/** @param {Table} table @param {Game} game @param {import("../../base/dom.js").Child} hint  what is said below each tab, so that nothing shifts when it comes */
export function drawSidePanel(table, game, hint) {
  const shown = table.panel.shown(game);
  const isSeen = table.panel.drawer !== "" || isBesideTable();
  if (shown === "rules" && !table.panel.rules) table.panel.loadRules(game);
  return h("aside", { className: table.panel.drawer ? "side-panel open" : "side-panel", key: "side-panel", "aria-label": t(shown) },
    h("div", { className: "side-panel-head" },
      tabsOf(game).map(name => h("button", { type: "button", className: "tab", key: name, "aria-pressed": shown === name, onclick: () => table.panel.open(name) },
        t(name), name === "talk" && drawBadge(table.talk.unread))),
      h("button", { type: "button", className: "plain close", "aria-label": t("close"), onclick: () => table.panel.open("") }, "×")),
    h("div", { className: "side-panel-body", key: shown, tabindex: 0, role: "group", "aria-label": t(shown) }, (isSeen || KEPT.includes(shown)) && drawTab(table, game, shown)),
    hint);
}

/** Changes them where they are on screen. @param {Table} table @param {Game} game @param {import("../../base/dom.js").Child} hint  what is said below each tab */
export function redrawSidePanel(table, game, hint) {
  const follow = followNewest(table.main);
  updateElement(table.main.querySelector(".tools"), drawPanelButtons(table, game));
  updateElement(table.main.querySelector(".side-panel"), drawSidePanel(table, game, hint));
  follow();
}

/** @param {Table} table @param {Game} game @param {string} shown */
function drawTab(table, game, shown) {
  if (shown === "talk") return table.talk.draw(game);
  if (shown === "time") return table.timePanel.draw(game);
  if (shown === "rules") return table.panel.rules?.cloneNode(true);
  return [drawPlayMissed(game, table), table.history.draw(game, { at: table.replay.at, redraw: () => table.redraw(), more: () => table.attempt(() => table.history.loadEarlier()), lookBack: number => table.lookBack(number) }), drawNonces(game)];
}

/** The number of unread messages. @param {number} count */
function drawBadge(count) {
  return count > 0 && h("span", { className: "badge", "aria-hidden": "true" }, count);
}

/** Says whether this browser's nonce went into the shuffles, and whose did not. @param {Game} game */
function drawNonces(game) {
  const used = isNonceUsed(game);
  const missing = game.seats.filter(seat => seat.nonce_missing);
  return [
    used !== null && h("p", { className: used ? "soft small" : "warning" }, t(used ? "nonce.stands" : "nonce.missing")),
    missing.map(({ tenure, name }) => h("p", { key: tenure, className: "soft small" }, t("nonce.none", { name })))];
}
