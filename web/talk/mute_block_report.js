// @ts-check
/**
 * What can be done about a person or a message: hide, mute (both as the host), report, block.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("./talk.js").Talk} Talk
 * @typedef {import("./talk.js").Message} Message
 * @typedef {{tenure: string} | {message: string}} PersonReference  A person, by their tenure or one of their messages.
 */

import { get, post, request } from "../base/api.js";
import { confirmDialog } from "../base/controls/confirm_dialog.js";
import { attempt, showToast } from "../base/controls/toasts.js";
import { h } from "../base/dom.js";
import { isHost } from "../base/game.js";
import { t } from "../base/words.js";
import { player } from "../people/sign_in/session.js";

/** @param {Talk} talk @param {Game} game @param {Message} message */
export function drawMessageMenu(talk, game, message) {
  const others = !message.you && player() !== null;
  const { id, name } = message;
  const ways = [
    isHost(game) && !message.hidden && drawWayButton("hide", () => hideMessage(talk, message)),
    isHost(game) && others && drawWayButton("mute", () => mute(talk, { message: id }, name)),
    others && drawWayButton("report", () => report(talk, [message])),
    others && drawWayButton("block", () => block(game, { message: id }, name)),
  ].filter(Boolean);
  return ways.length > 0 && h("details", { className: "message-menu" },
    h("summary", { "aria-label": t("talk.ways", { name }) }, "⋯"), h("div", { className: "buttons" }, ways));
}

/** @param {string} name @param {() => any} act */
export function drawWayButton(name, act) {
  return h("button", { type: "button", "data-way": name, onclick: act }, t(`talk.${name}`));
}

/** @param {Talk} talk @param {Message} message */
async function hideMessage(talk, { id }) {
  if (!(await confirmDialog(t("talk.hide"), t("talk.hide.what"), t("talk.hide")))) return;
  await attempt(() => request("DELETE", `${talk.path}/messages/${id}`));
  talk.pollNow();
}

/** @param {Talk} talk @param {PersonReference} whom @param {string} name */
export async function mute(talk, whom, name) {
  if (!(await confirmDialog(t("talk.mute"), t("talk.mute.what", { name }), t("talk.mute")))) return;
  await attempt(async () => {
    await post(`${talk.path}/mutes`, whom);
    showToast(t("talk.mute.done", { name }));
  });
  await loadMutes(talk);
}

/** Reports one of these messages to the operator. @param {Talk} talk @param {Message[]} messages newest first */
export async function report(talk, messages) {
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
export async function block(game, whom, name) {
  if (!(await confirmDialog(t("talk.block"), t("talk.block.what", { name }), t("talk.block")))) return;
  await attempt(async () => {
    await post("/api/me/blocks", { game: game.id, ...whom });
    showToast(t("talk.block.done", { name }));
  });
}

/** The people whom the host has muted. @param {Talk} talk */
export function drawMutes(talk) {
  const lift = (/** @type {string} */ id) => attempt(() => request("DELETE", `${talk.path}/mutes/${id}`)).then(() => loadMutes(talk));
  const show = (/** @type {any} */ event) => event.target.open && loadMutes(talk);
  return h("details", { className: "more", key: "mutes", ontoggle: show },
    h("summary", {}, t("talk.mutes")),
    talk.mutes.length === 0 && h("p", { className: "soft" }, t("talk.mutes.none")),
    h("ul", { className: "item-list" }, talk.mutes.map(({ id, name }) => h("li", { key: id }, h("span", {}, name),
      h("button", { type: "button", "aria-label": t("talk.mutes.lift.which", { name }), onclick: () => lift(id) }, t("talk.mutes.lift"))))));
}

/** @param {Talk} talk */
async function loadMutes(talk) {
  await attempt(async () => {
    talk.mutes = (await get(`${talk.path}/mutes`)).mutes;
  });
  talk.redraw();
}
