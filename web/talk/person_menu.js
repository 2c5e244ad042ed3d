// @ts-check
/**
 * The name of somebody at the table, a button that opens a menu about a person, or says what a house player is.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("../base/api.js").Seat} Seat
 * @typedef {import("./talk.js").Talk} Talk
 */

import { openLate } from "../base/controls/late_part.js";
import { h } from "../base/dom.js";
import { loadAllWords } from "../base/words.js";
import { player } from "../people/sign_in/session.js";

/** @param {Talk} talk @param {Game} game @param {Seat} who */
export function drawPersonName(talk, game, who) {
  const { program } = who;
  if (program && who.house) return [h("button", { type: "button", className: "name", "aria-haspopup": "dialog", onclick: () => withWays(({ showProgram }) => showProgram(who.name, program)) }, who.name), drawProgramTag(who)];
  if (who.house || who.you || !player()) return [h("span", { className: "name" }, who.name), drawProgramTag(who)];
  return [h("button", { type: "button", className: "name", "aria-haspopup": "dialog", onclick: () => withWays(({ openPersonMenu }) => openPersonMenu(talk, game, who)) }, who.name), drawProgramTag(who)];
}

/** Says of a house player, and of a person for whom one plays, that this is a program. @param {Pick<Seat, "program">} who */
export function drawProgramTag({ program }) {
  return program ? h("span", { className: "tag program", title: program.words }, h("span", {}, program.words)) : null;
}

/** Does what few visits do, with the module that is loaded for it. @param {(ways: typeof import("./mute_block_report.js").WAYS) => unknown} act */
export function withWays(act) {
  return openLate(() => Promise.all([import("./mute_block_report.js"), loadAllWords()]), ([{ WAYS }]) => act(WAYS));
}
