// @ts-check
/**
 * Somebody at the table: the name is a button that opens what one can do about the person.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Seat} Seat
 * @typedef {import("./talk.js").Talk} Talk
 */

import { get } from "./api.js";
import { h } from "./dom.js";
import { toFinished } from "./finished.js";
import { block, isHost, mute, report, way } from "./manners.js";
import { attempt } from "./notice.js";
import { player } from "./player.js";
import { shown } from "./sure.js";
import { language, t } from "./words.js";

/** @param {Talk} talk @param {Game} game @param {Seat} who */
export function personName(talk, game, who) {
  if (who.house || who.you || !player()) return h("span", { className: "name" }, who.name);
  return h("button", { type: "button", className: "name", "aria-haspopup": "dialog", onclick: () => meet(talk, game, who) }, who.name);
}

/** @param {Talk} talk @param {Game} game @param {Seat} who */
async function meet(talk, game, { tenure, name }) {
  const close = () => dialog.close();
  /** @param {() => any} act */
  const then = act => () => {
    close();
    act();
  };
  const dialog = h("dialog", { className: "person", "aria-labelledby": "person" },
    h("h2", { id: "person" }, name),
    h("div", { className: "ways-of" },
      h("a", { className: "button", href: toFinished("", tenure), onclick: close }, t("finished.together")),
      isHost(game) && way("mute", then(() => mute(talk, { tenure }, name))),
      way("report", then(() => reportOne(talk, tenure, name))),
      way("block", then(() => block(game, { tenure }, name)))),
    h("form", { method: "dialog", className: "buttons" }, h("button", { autofocus: true }, t("close"))));
  await shown(dialog);
}

/** What the person said here is what can be shown to the operator. @param {Talk} talk @param {string} tenure @param {string} name */
async function reportOne(talk, tenure, name) {
  const pages = await attempt(() => Promise.all(talk.readable.map(channel => get(`${talk.path}/messages?channel=${channel}&limit=100`))));
  const said = (pages ?? []).flatMap(({ messages }) => messages).filter(each => each.tenure === tenure && each.text !== null);
  if (said.length) return report(talk, said);
  if (pages) await nothingSaid(name);
}

/** @param {string} name */
async function nothingSaid(name) {
  await shown(h("dialog", { "aria-labelledby": "silent" },
    h("h2", { id: "silent" }, t("talk.report")),
    h("p", {}, t("person.silent", { name }), " ", h("a", { href: `/privacy?lang=${language()}` }, t("person.operator"))),
    h("form", { method: "dialog", className: "buttons" }, h("button", { className: "main" }, t("close")))));
}
