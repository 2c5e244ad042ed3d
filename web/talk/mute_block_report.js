// @ts-check
/**
 * What can be done about a person or a message: hide, mute (both as the host), report, block, follow; the menu about a person,
 * and what a house player is.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("../base/api.js").Seat} Seat
 * @typedef {import("./talk.js").Talk} Talk
 * @typedef {import("./talk.js").Message} Message
 * @typedef {{tenure: string} | {message: string}} PersonReference  A person, by their tenure or one of their messages.
 */

import { get, post, request } from "../base/api.js";
import { confirmDialog, showDialog } from "../base/controls/confirm_dialog.js";
import { openLate } from "../base/controls/late_part.js";
import { levelName } from "../base/controls/level_choice.js";
import { attempt, showToast } from "../base/controls/toasts.js";
import { h } from "../base/dom.js";
import { isHost } from "../base/game.js";
import { toFinished, toPlayerOfSeat } from "../base/routes.js";
import { language, t } from "../base/words.js";
import { player } from "../people/sign_in/session.js";
import { loadMutes } from "./mutes.js";
import { drawWayButton } from "./way_button.js";

/** @param {Talk} talk @param {Message} message */
async function hideMessage(talk, { id }) {
  if (!(await confirmDialog(t("talk.hide"), t("talk.hide.what"), t("talk.hide")))) return;
  await attempt(() => request("DELETE", `${talk.path}/messages/${id}`));
  talk.pollNow();
}

/** @param {Talk} talk @param {PersonReference} whom @param {string} name */
async function mute(talk, whom, name) {
  if (!(await confirmDialog(t("talk.mute"), t("talk.mute.what", { name }), t("talk.mute")))) return;
  await attempt(async () => {
    await post(`${talk.path}/mutes`, whom);
    showToast(t("talk.mute.done", { name }));
  });
  await loadMutes(talk);
}

/** Reports one of these messages to the operator. @param {Talk} talk @param {Message[]} messages newest first */
async function report(talk, messages) {
  const which = h("select", { id: "which" }, messages.map(({ id, text }) => h("option", { value: id }, text)));
  const why = h("textarea", { id: "why", rows: 3, maxlength: 500 });
  const asked = await confirmDialog(t("talk.report"), t("talk.report.what"), t("talk.report.do"),
    messages.length > 1 ? [h("label", { for: "which" }, t("talk.report.which")), which] : h("p", { className: "quote" }, messages[0].text),
    h("label", { for: "why" }, t("talk.report.why")), why);
  if (!asked) return;
  const said = why.value.trim();
  await attempt(async () => {
    await post(`${talk.path}/messages/${which.value}/reports`, said ? { why: said } : {});
    showToast(t("talk.report.done"));
  });
}

/** @param {Game} game @param {PersonReference} whom @param {string} name */
async function block(game, whom, name) {
  if (!(await confirmDialog(t("talk.block"), t("talk.block.what", { name }), t("talk.block")))) return;
  await attempt(async () => {
    await post("/api/me/blocks", { game: game.id, ...whom });
    showToast(t("talk.block.done", { name }));
  });
}

/** @param {Game} game @param {PersonReference} whom @param {string} name */
async function follow(game, whom, name) {
  await attempt(async () => {
    await post("/api/me/follows", { game: game.id, ...whom });
    showToast(t("talk.follow.done", { name }));
  });
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
      h("a", { className: "button", href: toPlayerOfSeat(game.id, tenure), onclick: close }, t("person.page")),
      player()?.address && drawWayButton("talk.follow", then(() => follow(game, { tenure }, name))),
      isHost(game) && drawWayButton("talk.mute", then(() => mute(talk, { tenure }, name))),
      drawWayButton("talk.report", then(() => reportPerson(talk, tenure, name))),
      drawWayButton("talk.block", then(() => block(game, { tenure }, name)))),
    h("form", { method: "dialog", className: "buttons" }, h("button", { autofocus: true }, t("close"))));
  await showDialog(dialog);
}

/** Lets the user choose which of the person's messages to report. @param {Talk} talk @param {string} tenure @param {string} name */
async function reportPerson(talk, tenure, name) {
  await openLate(() => Promise.all(talk.readable.map(channel => get(`${talk.path}/messages?channel=${channel}&limit=100`))), pages => {
    const said = pages.flatMap(({ messages }) => messages).filter(each => each.tenure === tenure && each.text !== null);
    return said.length ? report(talk, said) : showNothingSaid(name);
  });
}

/** @param {string} name */
async function showNothingSaid(name) {
  await showDialog(h("dialog", { "aria-labelledby": "silent" },
    h("h2", { id: "silent" }, t("talk.report")),
    h("p", {}, t("person.silent", { name }), " ", h("a", { href: `/privacy?lang=${language()}` }, t("person.operator"))),
    h("form", { method: "dialog", className: "buttons" }, h("button", { className: "main" }, t("close")))));
}

/** What can be done. */
export const WAYS = { hideMessage, mute, report, block, openPersonMenu, showProgram };
