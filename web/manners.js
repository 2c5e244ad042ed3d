// @ts-check
/**
 * What one can do about somebody, or about what they said: hide it and silence them as the host, report it, block the person.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./talk.js").Talk} Talk
 * @typedef {import("./talk.js").Message} Message
 * @typedef {{tenure: string} | {message: string}} Named  A person, by a seat or by something they said.
 */

import { ask, get, post } from "./api.js";
import { h } from "./dom.js";
import { attempt, tell } from "./notice.js";
import { player } from "./player.js";
import { sure } from "./sure.js";
import { t } from "./words.js";

/** @param {Talk} talk @param {Game} game @param {Message} message */
export function drawManners(talk, game, message) {
  const others = !message.you && player() !== null;
  const { id, name } = message;
  const ways = [
    isHost(game) && !message.hidden && way("hide", () => hide(talk, message)),
    isHost(game) && others && way("mute", () => mute(talk, { message: id }, name)),
    others && way("report", () => report(talk, [message])),
    others && way("block", () => block(game, { message: id }, name)),
  ].filter(Boolean);
  return ways.length > 0 && h("details", { className: "ways" },
    h("summary", { "aria-label": t("talk.ways", { name }) }, "⋯"), h("div", { className: "buttons" }, ways));
}

/** @param {Game} game */
export function isHost(game) {
  return game.tenure !== null && game.tenure === game.host;
}

/** @param {string} name @param {() => any} act */
export function way(name, act) {
  return h("button", { type: "button", "data-way": name, onclick: act }, t(`talk.${name}`));
}

/** @param {Talk} talk @param {Message} message */
async function hide(talk, { id }) {
  if (!(await sure(t("talk.hide"), t("talk.hide.what"), t("talk.hide")))) return;
  await attempt(() => ask("DELETE", `${talk.path}/messages/${id}`));
  talk.look();
}

/** @param {Talk} talk @param {Named} whom @param {string} name */
export async function mute(talk, whom, name) {
  if (!(await sure(t("talk.mute"), t("talk.mute.what", { name }), t("talk.mute")))) return;
  await attempt(async () => {
    await post(`${talk.path}/mutes`, whom);
    tell(t("talk.mute.done", { name }));
  });
  await loadMutes(talk);
}

/** Shows the operator one of these messages. @param {Talk} talk @param {Message[]} messages newest first */
export async function report(talk, messages) {
  const which = h("select", { id: "which" }, messages.map(({ id, text }) => h("option", { value: id }, text)));
  const why = h("textarea", { id: "why", rows: 3, maxlength: 500 });
  const asked = await sure(t("talk.report"), t("talk.report.what"), t("talk.report.do"),
    messages.length > 1 ? [h("label", { for: "which" }, t("talk.report.which")), which] : h("p", { className: "quote" }, messages[0].text),
    h("label", { for: "why" }, t("talk.report.why")), why);
  if (!asked) return;
  const said = why.value.trim();
  await attempt(async () => {
    await post(`${talk.path}/messages/${which.value}/reports`, said ? { why: said } : {});
    tell(t("talk.report.done"));
  });
}

/** @param {Game} game @param {Named} whom @param {string} name */
export async function block(game, whom, name) {
  if (!(await sure(t("talk.block"), t("talk.block.what", { name }), t("talk.block")))) return;
  await attempt(async () => {
    await post("/api/me/blocks", { game: game.id, ...whom });
    tell(t("talk.block.done", { name }));
  });
}

/** Whom the host has silenced. @param {Talk} talk */
export function drawMutes(talk) {
  const lift = (/** @type {string} */ id) => attempt(() => ask("DELETE", `${talk.path}/mutes/${id}`)).then(() => loadMutes(talk));
  const show = (/** @type {any} */ event) => event.target.open && loadMutes(talk);
  return h("details", { className: "more", key: "mutes", ontoggle: show },
    h("summary", {}, t("talk.mutes")),
    talk.mutes.length === 0 && h("p", { className: "soft" }, t("talk.mutes.none")),
    h("ul", { className: "tokens" }, talk.mutes.map(({ id, name }) => h("li", { key: id }, h("span", {}, name),
      h("button", { type: "button", "aria-label": t("talk.mutes.lift.which", { name }), onclick: () => lift(id) }, t("talk.mutes.lift"))))));
}

/** @param {Talk} talk */
async function loadMutes(talk) {
  await attempt(async () => {
    talk.mutes = (await get(`${talk.path}/mutes`)).mutes;
  });
  talk.redraw();
}
