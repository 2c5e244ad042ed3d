// @ts-check
/**
 * The ⋯ menu of a table: pausing, resigning, notifications, vacations, sounds, language, theme.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../time/resignation.js").ResignableGame & {panel: {open: (drawer: string) => void}, redraw: () => void, browserSettings: () => HTMLElement[]}} TableWithMenu
 */

import { isSoundOn, setSound } from "../../base/controls/sound.js";
import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";
import { player } from "../../people/sign_in/session.js";
import { leaveLesson } from "../../rules_page/lesson.js";
import { openOrders, takesOrders } from "../../time/orders_here.js";
import { askToResign } from "../../time/resignation.js";

const ID = "table-menu";

/** @param {TableWithMenu} table @param {Game} game */
export function drawTableMenu(table, game) {
  const plays = game.status === "running" && game.seat !== null;
  const item = (/** @type {string} */ name, /** @type {() => void} */ act) => h("button", { type: "button", className: "plain", "data-menu": name, key: name, onclick: () => (document.getElementById(ID)?.hidePopover(), act()) }, t(`menu.${name}`));
  return h("div", { className: "table-menu", key: "menu" },
    h("button", { type: "button", className: "plain", "aria-label": t("menu"), title: t("menu"), popovertarget: ID }, "⋯"),
    h("div", { id: ID, popover: "auto", role: "group", "aria-label": t("menu") },
      plays && game.pace.kind !== "none" && item(game.paused ? "resume" : "pause", () => table.panel.open("time")),
      plays && !game.lesson && !game.deal && item("resign", () => askToResign(table, game)),
      game.lesson && item("leave-lesson", () => leaveLesson(game)),
      takesOrders(game) && item("orders", () => openOrders(`/api/games/${game.id}`)),
      player() && h("a", { href: "/me/mails", key: "mails" }, t("menu.mails")),
      player() && h("a", { href: "/me/vacation", key: "vacation" }, t("vacation.title")),
      item(isSoundOn() ? "sound.off" : "sound.on", () => (setSound(!isSoundOn()), table.redraw())),
      table.browserSettings()));
}
