// @ts-check
/**
 * Tables in a list.
 *
 * @typedef {import("./api.js").Summary} Summary
 * @typedef {Summary & {unread?: number}} Row  With how much was said there that the reader has not read.
 */

import { h } from "./dom.js";
import { paceName } from "./pace.js";
import { toTable } from "./route.js";
import { ago } from "./time.js";
import { t } from "./words.js";

/** @param {Row[]} list @param {(game: Summary) => any} state */
export function rows(list, state) {
  return h("ul", { className: "tables" }, list.map(each => row(each, state)));
}

/** @param {Row} game @param {(game: Summary) => any} state */
function row(game, state) {
  const pace = game.status !== "over" && game.pace.kind !== "none" && paceName(game.pace);
  return h("li", { key: game.id },
    h("a", { href: toTable(game.id) },
      h("strong", {}, game.ruleset.name, game.unread && h("span", { className: "badge", role: "img", "aria-label": t("talk.unread", { n: game.unread }) }, game.unread)),
      h("span", { className: "names" }, [game.names.join(t("comma")), pace].filter(Boolean).join(t("then"))),
      h("span", { className: "state" }, state(game))));
}

/** @param {Summary} game */
export function mineState(game) {
  if (game.waiting_for_you) return h("b", { className: "turn" }, t("turn.yours"));
  return game.status === "open" ? freeSeats(game) : t("turn.others");
}

/** @param {Summary} game */
export function freeSeats(game) {
  return t("lobby.seated", { seated: game.seated, players: game.players });
}

/** @param {Summary} game */
export function since(game) {
  return ago(game.ended_at ?? game.created_at);
}
