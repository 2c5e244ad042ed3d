// @ts-check
/**
 * The menu of a message. What it does is loaded when somebody does it.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("./talk.js").Talk} Talk
 * @typedef {import("./talk.js").Message} Message
 */

import { h } from "../base/dom.js";
import { isHost } from "../base/game.js";
import { t } from "../base/words.js";
import { player } from "../people/sign_in/session.js";
import { withWays } from "./person_menu.js";
import { drawWayButton } from "./way_button.js";

/** @param {Talk} talk @param {Game} game @param {Message} message */
export function drawMessageMenu(talk, game, message) {
  const others = !message.you && player() !== null;
  const { id, name } = message;
  const ways = [
    isHost(game) && !message.hidden && drawWayButton("talk.hide", () => withWays(({ hideMessage }) => hideMessage(talk, message))),
    isHost(game) && others && drawWayButton("talk.mute", () => withWays(({ mute }) => mute(talk, { message: id }, name))),
    others && drawWayButton("talk.report", () => withWays(({ report }) => report(talk, [message]))),
    others && drawWayButton("talk.block", () => withWays(({ block }) => block(game, { message: id }, name))),
  ].filter(Boolean);
  return ways.length > 0 && h("details", { className: "message-menu" },
    h("summary", { "aria-label": t("talk.ways", { name }) }, "⋯"), h("div", { className: "buttons" }, ways));
}
