// @ts-check
/**
 * The view of the talk: the game's rule about talk, a field to write in, and the messages, newest first.
 *
 * @typedef {import("../base/api.js").Game} Game
 * @typedef {import("./talk.js").Talk} Talk
 * @typedef {import("./talk.js").Message} Message
 * @typedef {import("./talk.js").ChannelName} ChannelName
 */

import { post } from "../base/api.js";
import { attempt } from "../base/controls/toasts.js";
import { h } from "../base/dom.js";
import { isHost } from "../base/game.js";
import { randomNonce } from "../base/nonces.js";
import { formatTime } from "../base/time_format.js";
import { t } from "../base/words.js";
import { player } from "../people/sign_in/session.js";
import { drawMessageMenu } from "./message_menu.js";
import { drawMutes } from "./mutes.js";

const LONGEST = 1000;

/** @param {Talk} talk @param {Game} game */
export function drawTalk(talk, game) {
  const { channel, state } = talk;
  if (!player()) return h("p", { className: "soft" }, t("talk.nobody"));
  if (!state) return null;
  return [
    state.rule && h("p", { className: "rule", key: "rule" }, state.rule),
    channel ? drawChannel(talk, game, channel) : h("p", { className: "soft", key: "none" }, t("talk.none")),
    player() && talk.notes.draw(),
    isHost(game) && drawMutes(talk)];
}

/** @param {ChannelName} channel */
function channelName(channel) {
  return t(channel === "seats" ? "talk.seats" : "talk.spectators");
}

/** @param {Talk} talk @param {Game} game @param {ChannelName} channel */
function drawChannel(talk, game, channel) {
  const { messages, next } = talk.pages[channel];
  return h("section", { key: channel, className: "talk" },
    talk.readable.length > 1
      ? h("div", { className: "buttons" }, talk.readable.map(name => h("button", { type: "button", className: "tab", "aria-pressed": name === channel, onclick: () => talk.chooseChannel(name) }, channelName(name))))
      : h("h2", {}, channelName(channel)),
    talk.state?.[channel].writes ? drawComposer(talk, channel) : h("p", { className: "soft small", key: "cannot" }, t("talk.read-only")),
    messages.length === 0 && h("p", { className: "soft", key: "empty" }, t("talk.empty")),
    h("ol", { key: "said", reversed: true }, messages.map(each => drawMessage(talk, game, each))),
    next && h("button", { type: "button", key: "earlier", onclick: () => attempt(() => talk.loadEarlier(channel)).then(talk.redraw) }, t("history.earlier")));
}

/** @param {Talk} talk @param {ChannelName} channel */
function drawComposer(talk, channel) {
  const note = (/** @type {any} */ event) => {
    talk.draft = event.target.value;
  };
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    send(talk, channel, /** @type {HTMLFormElement} */ (event.target));
  }
  /** @param {KeyboardEvent} event */
  function pressed(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) /** @type {any} */ (event.target).form.requestSubmit();
  }
  return h("form", { className: "composer", key: `write ${channel}`, onsubmit: submit },
    h("label", { for: "say" }, t("talk.say")),
    h("textarea", { id: "say", rows: 2, maxlength: LONGEST, required: true, ".value": talk.draft, oninput: note, onkeydown: pressed }),
    h("div", { className: "buttons" }, h("button", {}, t("talk.send"))));
}

/** A message that could not be sent stays in the field. @param {Talk} talk @param {ChannelName} channel @param {HTMLFormElement} form */
async function send(talk, channel, form) {
  const text = talk.draft.trim();
  if (!text || form.dataset.sending) return;
  form.dataset.sending = "yes";
  await attempt(async () => {
    await post(`${talk.path}/messages`, { channel, text, once: randomNonce() });
    talk.draft = "";
    form.reset();
    await talk.refresh(channel);
  });
  delete form.dataset.sending;
  talk.pollNow();
}

/** @param {Talk} talk @param {Game} game @param {Message} message */
function drawMessage(talk, game, message) {
  const { id, name, program, at, text, you } = message;
  return h("li", { key: id, className: you ? "own" : "" },
    h("p", { className: "by" }, h("b", {}, program ? t("program.called", { name }) : name), you && h("span", { className: "tag" }, t("seat.you")), h("time", { datetime: at }, formatTime(at))),
    h("p", { className: text === null ? "soft" : "text" }, text ?? t("talk.hidden")),
    drawMessageMenu(talk, game, message));
}
