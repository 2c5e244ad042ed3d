// @ts-check
/**
 * The name of somebody at the table, a button that opens a menu about a person, or says what a house player is.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("../base/api.js").Seat} Seat
 * @typedef {import("./talk.js").Talk} Talk
 */

import { get } from "../base/api.js";
import { showDialog } from "../base/controls/confirm_dialog.js";
import { levelName } from "../base/controls/level_choice.js";
import { attempt } from "../base/controls/toasts.js";
import { h } from "../base/dom.js";
import { isHost } from "../base/game.js";
import { toFinished } from "../base/routes.js";
import { language, t } from "../base/words.js";
import { player } from "../people/sign_in/session.js";
import { block, drawWayButton, mute, report } from "./mute_block_report.js";

/** @param {Talk} talk @param {Game} game @param {Seat} who */
export function drawPersonName(talk, game, who) {
  const { program } = who;
  if (program && who.house) return [h("button", { type: "button", className: "name", "aria-haspopup": "dialog", onclick: () => showProgram(who.name, program) }, who.name), drawProgramTag(who)];
  if (who.house || who.you || !player()) return [h("span", { className: "name" }, who.name), drawProgramTag(who)];
  return [h("button", { type: "button", className: "name", "aria-haspopup": "dialog", onclick: () => openPersonMenu(talk, game, who) }, who.name), drawProgramTag(who)];
}

/** Says of a house player, and of a person for whom one plays, that this is a program. @param {Pick<Seat, "program">} who */
export function drawProgramTag({ program }) {
  return program ? h("span", { className: "tag program", title: program.words }, h("span", {}, program.words)) : null;
}

/** @param {string} name @param {import("../base/api.js").Program} program */
async function showProgram(name, { level, version }) {
  await showDialog(h("dialog", { "aria-labelledby": "program" },
    h("h2", { id: "program" }, name),
    h("p", {}, t("house.what", { name })),
    h("p", {}, t("house.level", { level: levelName(level) }), h("br"), t("house.version", { version })),
    h("form", { method: "dialog", className: "buttons" }, h("button", { className: "main", autofocus: true }, t("close")))));
}

/** @param {Talk} talk @param {Game} game @param {Seat} who */
async function openPersonMenu(talk, game, { tenure, name }) {
  const close = () => dialog.close();
  /** @param {() => any} act */
  const then = act => () => {
    close();
    act();
  };
  const dialog = h("dialog", { className: "person", "aria-labelledby": "person" },
    h("h2", { id: "person" }, name),
    h("div", { className: "person-actions" },
      h("a", { className: "button", href: toFinished("", tenure), onclick: close }, t("finished.together")),
      isHost(game) && drawWayButton("mute", then(() => mute(talk, { tenure }, name))),
      drawWayButton("report", then(() => reportPerson(talk, tenure, name))),
      drawWayButton("block", then(() => block(game, { tenure }, name)))),
    h("form", { method: "dialog", className: "buttons" }, h("button", { autofocus: true }, t("close"))));
  await showDialog(dialog);
}

/** Lets the user choose which of the person's messages to report. @param {Talk} talk @param {string} tenure @param {string} name */
async function reportPerson(talk, tenure, name) {
  const pages = await attempt(() => Promise.all(talk.readable.map(channel => get(`${talk.path}/messages?channel=${channel}&limit=100`))));
  const said = (pages ?? []).flatMap(({ messages }) => messages).filter(each => each.tenure === tenure && each.text !== null);
  if (said.length) return report(talk, said);
  if (pages) await showNothingSaid(name);
}

/** @param {string} name */
async function showNothingSaid(name) {
  await showDialog(h("dialog", { "aria-labelledby": "silent" },
    h("h2", { id: "silent" }, t("talk.report")),
    h("p", {}, t("person.silent", { name }), " ", h("a", { href: `/privacy?lang=${language()}` }, t("person.operator"))),
    h("form", { method: "dialog", className: "buttons" }, h("button", { className: "main" }, t("close")))));
}
