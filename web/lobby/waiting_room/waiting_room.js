// @ts-check
/**
 * A table before the start: its seats, and the ways to fill them.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").Seat} Seat
 * @typedef {import("../../base/game.js").GameOnScreen & {talk: import("../../talk/talk.js").Talk}} TableBeforeStart
 * @typedef {{mailed: MailInvitations, invited: Invited, link: TableLink}} Ways  Invitations that were sent, what somebody invited sees, and the link.
 */

import { hasInvitation, post, request } from "../../base/api.js";
import { loadInTab, saveInTab } from "../../base/browser_storage.js";
import { sitOrAsk } from "../../base/controls/kept_apart.js";
import { chosenLevel, levelChoice } from "../../base/controls/level_choice.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { isChecked, isHost } from "../../base/game.js";
import { postWithNonce } from "../../base/nonces.js";
import { RATINGS, goTo } from "../../base/routes.js";
import { t } from "../../base/words.js";
import { drawStamp } from "../../cards/stamp.js";
import { ensurePlayer } from "../../people/sign_in/name_dialog.js";
import { loadPlayer } from "../../people/sign_in/session.js";
import { drawPersonName } from "../../talk/person_menu.js";
import { formatDueTime } from "../../time/deadlines.js";
import { paceText } from "../../time/paces.js";
import { addressHint, drawHint } from "./hints.js";
import { Invited } from "./invited.js";
import { MailInvitations } from "./mailed_invitations.js";
import { TableLink } from "./table_link.js";

/** What draws this table as long as it has not started. @param {TableBeforeStart} table @param {Game} game as it is shown first @returns {Promise<(game: Game) => HTMLElement>} */
export async function waitingRoom(table, game) {
  const redraw = () => table.redraw();
  const ways = { mailed: new MailInvitations(table.path, redraw), invited: new Invited(redraw), link: new TableLink(table.path, redraw) };
  if (isOffered(game)) await ways.invited.load(game);
  return each => drawWaitingRoom(table, ways, each);
}

/** Whether the user may take a seat. @param {Game} game */
function isOffered({ status, tenure, players, seats }) {
  return status === "open" && tenure === null && seats.length < players;
}

/** @param {TableBeforeStart} table @param {Ways} ways @param {Game} game */
function drawWaitingRoom(table, ways, game) {
  const host = isHost(game);
  const free = game.players - game.seats.length;
  const isInvited = isOffered(game);
  const isAsked = !game.live && isAlone(game, host);
  const fill = () => table.change(() => post(`${table.path}/start`, { house: true, level: chosenLevel() }));
  return h("section", { className: "waiting-room sheet", key: "waiting-room" },
    isInvited && ways.invited.draw(game, () => table.change(() => sitDown(game, table.path))),
    h("div", { className: "room-head" }, !isInvited && drawStamp(game.ruleset.slug), h(isInvited ? "h3" : "h2", {}, t("waiting-room.title", { seated: game.seats.length, players: game.players }))),
    isAsked && drawQuestion(table, game, free, fill),
    game.live && drawReadyCheck(table, game, game.live),
    game.pace.kind !== "none" && h("p", { className: "soft" }, paceText(game.pace)),
    game.rated && drawRated(),
    game.tenure !== null && free > 0 && h("div", { className: "invite", key: "invite" },
      h("h3", {}, t("waiting-room.invite")),
      h("p", {}, t(game.private ? "waiting-room.invite.private" : "waiting-room.invite.public")),
      ways.link.draw(game),
      host && game.private && h("p", { className: "soft" },
        h("button", { type: "button", id: "new-link", onclick: () => table.change(() => post(`${table.path}/invitation-key`)) }, t("waiting-room.new-link")), " ", t("waiting-room.new-link.hint"))),
    h("ol", { className: "seat-list" },
      game.seats.map(seat => drawSeat(table, game, seat)),
      Array.from({ length: free }, (_, n) => h("li", { key: `free ${n}`, className: "free" }, h("span", {}, t("waiting-room.free")),
        host && !game.live && h("button", { type: "button", onclick: () => table.change(() => post(`${table.path}/seats`, { house: true, level: chosenLevel() })) }, t("waiting-room.house"))))),
    host && free > 0 && !game.live && levelChoice(game.level),
    h("div", { className: "buttons" },
      host && free === 0 && !game.live && h("button", { type: "button", className: "main", onclick: () => table.change(() => post(`${table.path}/start`)) }, t("waiting-room.start")),
      host && free > 0 && !isAsked && !game.live && h("button", { type: "button", id: "fill", onclick: fill }, t("waiting-room.fill")),
      game.tenure !== null && h("button", { type: "button", onclick: () => leaveTable(game) }, t("waiting-room.leave"))),
    game.tenure !== null && !game.live && h("p", { className: "soft" }, nextText(game, free, host)),
    !game.live && drawHint(addressHint(game, () => table.redraw())),
    game.tenure !== null && free > 0 && ways.mailed.draw(game));
}

/** What it means that all play at once, and the question whether they are there. @param {TableBeforeStart} table @param {Game} game @param {NonNullable<Game["live"]>} live */
function drawReadyCheck(table, game, { ready_until: until }) {
  const asks = isChecked(game);
  return h("div", { className: asks ? "question" : "", key: "live" },
    h("p", { role: "status" }, t(until ? "live.check" : "live.what", { until: until && formatDueTime(until) })),
    asks && h("div", { className: "buttons" },
      h("button", { type: "button", className: "main", id: "ready", onclick: () => table.change(() => post(`${table.path}/ready`)) }, t("live.here"))));
}

/** What it means that the table is rated; the explanation opens beside the table. */
function drawRated() {
  return h("p", { className: "soft", key: "rated" }, t("rated.what"), " ", h("a", { href: RATINGS, target: "_blank" }, t("rated.more")));
}

/** Whether the host sits there alone, and has not said yet that they are waiting for people. @param {Game} game @param {boolean} host */
function isAlone(game, host) {
  return host && game.seats.length === 1 && game.players > 1 && !loadInTab(waitingKey(game));
}

/** @param {Game} game */
function waitingKey({ id }) {
  return `waits.${id}`;
}

/** Nobody is left before an empty table. @param {TableBeforeStart} table @param {Game} game @param {number} free @param {() => void} fill */
function drawQuestion(table, game, free, fill) {
  const wait = () => {
    saveInTab(waitingKey(game), "yes");
    table.redraw();
  };
  return h("div", { className: "question", key: "question", role: "group", "aria-labelledby": "question" },
    h("p", { id: "question" }, t("waiting-room.alone", { free })),
    h("div", { className: "buttons" },
      h("button", { type: "button", className: "main", id: "fill", onclick: fill }, t("waiting-room.alone.yes")),
      h("button", { type: "button", id: "wait", onclick: wait }, t("waiting-room.alone.no"))));
}

/** @param {TableBeforeStart} table @param {Game} game @param {Seat} seat */
function drawSeat(table, game, seat) {
  const host = isHost(game);
  const remove = () => table.change(() => request("DELETE", `${table.path}/seats/${seat.tenure}`).then(() => undefined));
  return h("li", { key: seat.tenure },
    h("span", {}, drawPersonName(table.talk, game, seat), seat.you && h("span", { className: "tag" }, t("seat.you")), seat.tenure === game.host && h("span", { className: "tag" }, t("waiting-room.host")), game.live?.ready.includes(seat.tenure) && h("span", { className: "tag" }, t("live.ready")), seat.unreachable && !seat.you && h("span", { className: "tag" }, t("seat.unreachable"))),
    host && !seat.you && h("button", { type: "button", "aria-label": t("waiting-room.remove.which", { name: seat.name }), onclick: remove }, t("waiting-room.remove")));
}

/** What comes next. @param {Game} game @param {number} free @param {boolean} host */
function nextText(game, free, host) {
  if (game.starts_at) return t("waiting-room.next.starting");
  if (free > 0) return t(game.start === "full" ? "waiting-room.next.full" : "waiting-room.next.host");
  return t(host ? "waiting-room.next.you" : "waiting-room.next.wait");
}

/** @param {Game} game @param {string} path of it @returns {Promise<Game | undefined>} undefined: the user gave no name */
async function sitDown({ id }, path) {
  if (!await ensurePlayer()) return undefined;
  const seated = await sitOrAsk(more => postWithNonce(`${path}/seats`, more));
  if (hasInvitation(id)) await attempt(loadPlayer); // it may have proven an address
  return seated;
}

/** @param {Game} game */
async function leaveTable(game) {
  await attempt(async () => {
    await request("DELETE", `/api/games/${game.id}/seats/${game.tenure}`);
    goTo("/");
  });
}
