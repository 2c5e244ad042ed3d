// @ts-check
/**
 * What stands beside the table, or in a drawer over it on a phone: history, talk, time, rules.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./table.js").Table} Table
 */

import { h, svg } from "./dom.js";
import { nonceStands } from "./opening.js";
import { rulesText } from "./rules.js";
import { drawTime } from "./timing.js";
import { t } from "./words.js";

const TABS = ["history", "talk", "time", "rules"];
/** Before the start nothing has happened and no clock runs. */
const BEFORE = ["talk", "rules"];

/** @type {Record<string, string>} */
const ICONS = {
  history: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  talk: "M4 5h16v11H11l-5 4v-4H4z",
  time: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 7v5l3.5 2",
  rules: "M5 17.5V6a2.5 2.5 0 0 1 2.5-2.5H19v17H7.5a2.5 2.5 0 0 1 0-5H19",
};

/** @param {Game} game */
function tabs(game) {
  return game.status === "open" ? BEFORE : TABS;
}

/** The tab that is shown. @param {Table} table @param {Game} game */
export function shownTab(table, game) {
  return tabs(game).includes(table.tab) ? table.tab : tabs(game)[0];
}

/** The buttons that open a drawer on a phone. @param {Table} table @param {Game} game */
export function tools(table, game) {
  return h("div", { className: "tools" }, tabs(game).map(name => {
    const unread = name === "talk" ? table.talk.unread : 0;
    const label = unread ? t("talk.unread", { n: unread }) : t(name);
    return h("button", { type: "button", className: "plain", key: name, "data-drawer": name, "aria-label": label, title: label, "aria-expanded": table.drawer === name, onclick: () => table.open(table.drawer === name ? "" : name) },
      svg("svg", { className: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] })), badge(unread));
  }));
}

/** @param {Table} table @param {Game} game */
export function side(table, game) {
  const shown = shownTab(table, game);
  if (shown === "rules" && !table.rules) loadRules(table, game.ruleset.slug);
  return h("aside", { className: table.drawer ? "side open" : "side", key: "side", "aria-label": t(shown) },
    h("div", { className: "side-head" },
      tabs(game).map(name => h("button", { type: "button", className: "tab", key: name, "aria-pressed": shown === name, onclick: () => table.open(name) },
        t(name), name === "talk" && badge(table.talk.unread))),
      h("button", { type: "button", className: "plain close", "aria-label": t("close"), onclick: () => table.open("") }, "×")),
    h("div", { className: "side-body", key: shown, tabindex: 0, role: "group", "aria-label": t(shown) }, body(table, game, shown)));
}

/** @param {Table} table @param {Game} game @param {string} shown */
function body(table, game, shown) {
  if (shown === "talk") return table.talk.draw(game);
  if (shown === "time") return drawTime(table, game);
  if (shown === "rules") return table.rules?.cloneNode(true);
  return [table.history.draw(() => table.attempt(() => table.history.earlier())), fairness(game)];
}

/** How many messages are new. @param {number} count */
function badge(count) {
  return count > 0 && h("span", { className: "badge", "aria-hidden": "true" }, count);
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
