// @ts-check
/**
 * What one can do about what somebody said: hide it and silence them as the host, report it, block the person.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./talk.js").Talk} Talk
 * @typedef {import("./talk.js").Message} Message
 */

import { ask, get, post } from "./api.js";
import { h } from "./dom.js";
import { attempt, tell } from "./notice.js";
import { player } from "./player.js";
import { sure, written } from "./sure.js";
import { t } from "./words.js";

/** @param {Talk} talk @param {Game} game @param {Message} message */
export function drawManners(talk, game, message) {
  const host = game.tenure !== null && game.tenure === game.host;
  const others = !message.you && player() !== null;
  const ways = [
    host && !message.hidden && way("hide", () => hide(talk, message)),
    host && others && way("mute", () => mute(talk, message)),
    others && way("report", () => report(talk, message)),
    others && way("block", () => block(game, message)),
  ].filter(Boolean);
  return ways.length > 0 && h("details", { className: "ways" },
    h("summary", { "aria-label": t("talk.ways", { name: message.name }) }, "⋯"), h("div", { className: "buttons" }, ways));
}

/** @param {string} name @param {() => Promise<any>} act */
function way(name, act) {
  return h("button", { type: "button", "data-way": name, onclick: act }, t(`talk.${name}`));
}

/** @param {Talk} talk @param {Message} message */
async function hide(talk, { id }) {
  if (!(await sure(t("talk.hide"), t("talk.hide.what"), t("talk.hide")))) return;
  await attempt(() => ask("DELETE", `${talk.path}/messages/${id}`));
  talk.look();
}

/** @param {Talk} talk @param {Message} message */
async function mute(talk, { id, name }) {
  if (!(await sure(t("talk.mute"), t("talk.mute.what", { name }), t("talk.mute")))) return;
  await attempt(() => post(`${talk.path}/mutes`, { message: id }));
  await loadMutes(talk);
}

/** @param {Talk} talk @param {Message} message */
async function report(talk, { id }) {
  const why = await written(t("talk.report"), t("talk.report.what"), t("talk.report.do"), t("talk.report.why"));
  if (why === null) return;
  await attempt(async () => {
    await post(`${talk.path}/messages/${id}/reports`, why ? { why } : {});
    tell(t("talk.report.done"));
  });
}

/** @param {Game} game @param {Message} message */
async function block(game, { id, name }) {
  if (!(await sure(t("talk.block"), t("talk.block.what", { name }), t("talk.block")))) return;
  await attempt(async () => {
    await post("/api/me/blocks", { game: game.id, message: id });
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
      h("button", { type: "button", onclick: () => lift(id) }, t("talk.mutes.lift"))))));
}

/** @param {Talk} talk */
async function loadMutes(talk) {
  await attempt(async () => {
    talk.mutes = (await get(`${talk.path}/mutes`)).mutes;
  });
  talk.redraw();
}
