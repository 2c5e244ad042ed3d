// @ts-check
/**
 * The side panel, on a phone a drawer over the table: history, talk, time, rules.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("./table.js").Table} Table
 */

import { h, svg, updateElement } from "../../base/dom.js";
import { isNonceUsed } from "../../base/nonces.js";
import { t } from "../../base/words.js";
import { fetchRules, showSection } from "../../rules_page/rules.js";
import { drawTimePanel } from "../../time/time_panel.js";
import { drawPlayMissed, missedBy } from "../replay/missed.js";

const TABS = ["history", "talk", "time", "rules"];
/** Before the start there is no history and no clock. */
const TABS_BEFORE_START = ["talk", "rules"];
/** Drawn also while nobody sees them, lest what is being typed there be lost. */
const KEPT = ["talk", "time"];

/** @type {Record<string, string>} */
const ICONS = {
  history: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  talk: "M4 5h16v11H11l-5 4v-4H4z",
  time: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 7v5l3.5 2",
  rules: "M5 17.5V6a2.5 2.5 0 0 1 2.5-2.5H19v17H7.5a2.5 2.5 0 0 1 0-5H19",
};

/** @param {Game} game */
function tabs(game) {
  return game.status === "open" ? TABS_BEFORE_START : TABS;
}

/** The tab that is shown. @param {Table} table @param {Game} game */
export function shownTab(table, game) {
  return tabs(game).includes(table.tab) ? table.tab : tabs(game)[0];
}

/** The buttons that open a drawer on a phone. @param {Table} table @param {Game} game */
export function drawPanelButtons(table, game) {
  return h("div", { className: "tools" }, tabs(game).map(name => {
    const unread = countNew(table, game, name);
    const told = { n: unread };
    const label = unread === 0 ? t(name) : name === "talk" ? t("talk.unread", told) : t("history.unread", told);
    return h("button", { type: "button", className: "plain", key: name, "data-drawer": name, "aria-label": label, title: label, "aria-expanded": table.drawer === name, onclick: () => table.open(table.drawer === name ? "" : name) },
      svg("svg", { className: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] })), drawBadge(unread));
  }));
}

/** What the user has not seen there yet. @param {Table} table @param {Game} game @param {string} name of the tab */
function countNew(table, game, name) {
  if (name === "talk") return table.talk.unread;
  return name === "history" ? missedBy(game, table.history).length : 0;
}

/** @param {Table} table @param {Game} game @param {import("../../base/dom.js").Child} hint  what is said above all tabs */
export function drawSidePanel(table, game, hint) {
  const shown = shownTab(table, game);
  if (shown === "rules" && !table.rules) loadRules(table, game);
  return h("aside", { className: table.drawer ? "side-panel open" : "side-panel", key: "side-panel", "aria-label": t(shown) },
    h("div", { className: "side-panel-head" },
      tabs(game).map(name => h("button", { type: "button", className: "tab", key: name, "aria-pressed": shown === name, onclick: () => table.open(name) },
        t(name), name === "talk" && drawBadge(table.talk.unread))),
      h("button", { type: "button", className: "plain close", "aria-label": t("close"), onclick: () => table.open("") }, "×")),
    hint,
    h("div", { className: "side-panel-body", key: shown, tabindex: 0, role: "group", "aria-label": t(shown) }, (isPanelShown(table.drawer) || KEPT.includes(shown)) && drawTab(table, game, shown)));
}

/** Changes them where they are on screen. @param {Table} table @param {Game} game @param {import("../../base/dom.js").Child} hint  what is said above all tabs */
export function redrawSidePanel(table, game, hint) {
  updateElement(table.main.querySelector(".tools"), drawPanelButtons(table, game));
  updateElement(table.main.querySelector(".side-panel"), drawSidePanel(table, game, hint));
}

/** Whether there is room for the side panel beside the table. */
export function isBesideTable() {
  return matchMedia("(min-width: 900px) and (min-height: 501px)").matches;
}

/** Whether the side panel can be seen: always if there is room beside the table, else while a drawer is open. @param {string} drawer */
function isPanelShown(drawer) {
  return drawer !== "" || isBesideTable();
}

/** @param {Table} table @param {Game} game @param {string} shown */
function drawTab(table, game, shown) {
  if (shown === "talk") return table.talk.draw(game);
  if (shown === "time") return drawTimePanel(table, game);
  if (shown === "rules") return table.rules?.cloneNode(true);
  return [drawPlayMissed(game, table), table.history.draw(game, () => table.attempt(() => table.history.loadEarlier()), number => table.lookBack(number), table.replay.at), drawNonceCheck(game), drawMissingNonces(game)];
}

/** The number of unread messages. @param {number} count */
function drawBadge(count) {
  return count > 0 && h("span", { className: "badge", "aria-hidden": "true" }, count);
}

/** Loads the rules, and shows what they say of the present phase. @param {Table} table @param {Game} game */
function loadRules(table, { ruleset: { slug, version } }) {
  const awaited = table.rules = document.createDocumentFragment();
  table.attempt(async () => {
    const text = await fetchRules(slug, version);
    if (table.rules === awaited) table.rules = text;
  }).then(() => showPhase(table));
}

/** Shows what the rules say of the present phase, if they are shown. @param {Table} table */
export function showPhase(table) {
  if (table.tab === "rules" && table.game?.view) showSection(table.game.view.phase);
}

/** Says whose nonces did not go into the shuffles. @param {Game} game */
function drawMissingNonces(game) {
  const missing = game.seats.filter(seat => seat.nonce_missing);
  return missing.map(({ tenure, name }) => h("p", { key: tenure, className: "soft small" }, t("nonce.none", { name })));
}

/** Says whether this browser's nonce went into the shuffles. @param {Game} game */
function drawNonceCheck(game) {
  const used = isNonceUsed(game);
  return used === null ? null : h("p", { className: used ? "soft small" : "warning" }, t(used ? "nonce.stands" : "nonce.missing"));
}
