// @ts-check
/**
 * A table before the start: who sits there, and how it becomes full.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Seat} Seat
 */

import { ask, post } from "./api.js";
import { copyField } from "./copy.js";
import { h } from "./dom.js";
import { attempt } from "./notice.js";
import { drawAddress } from "./address.js";
import { sitDown } from "./opening.js";
import { paceText } from "./pace.js";
import { personName } from "./person.js";
import { go, linkTo } from "./route.js";
import { t } from "./words.js";

/** @param {import("./table.js").Table} table @param {Game} game */
export function drawRoom(table, game) {
  const take = (/** @type {Game | undefined} */ brought) => table.take(brought);
  const host = game.tenure !== null && game.tenure === game.host;
  const free = game.players - game.seats.length;
  const change = (/** @type {() => Promise<any>} */ act) => attempt(act).then(take);
  const path = `/api/games/${game.id}`;
  return h("section", { className: "room sheet", key: "room" },
    h("h2", {}, t("room.title", { seated: game.seats.length, players: game.players })),
    game.pace.kind !== "none" && h("p", { className: "soft" }, paceText(game.pace)),
    h("ol", { className: "chairs" },
      game.seats.map(seat => chair(table, game, seat, change)),
      Array.from({ length: free }, (_, n) => h("li", { key: `free ${n}`, className: "free" }, h("span", {}, t("room.free")),
        host && h("button", { type: "button", onclick: () => change(() => post(`${path}/seats`, { house: true })) }, t("room.house"))))),
    h("div", { className: "buttons" },
      game.tenure === null && free > 0 && h("button", { type: "button", className: "main", onclick: () => sitDown(game.id).then(take) }, t("room.sit")),
      host && free === 0 && h("button", { type: "button", className: "main", onclick: () => change(() => post(`${path}/start`)) }, t("room.start")),
      host && free > 0 && h("button", { type: "button", id: "fill", onclick: () => change(() => post(`${path}/start`, { house: true })) }, t("room.fill")),
      game.tenure !== null && h("button", { type: "button", onclick: () => leave(game) }, t("room.leave"))),
    game.tenure !== null && h("p", { className: "soft" }, next(game, free, host)),
    drawAddress(game, () => table.redraw()),
    game.tenure !== null && free > 0 && h("div", { className: "invite" },
      h("h3", {}, t("room.invite")),
      h("p", {}, t(game.private ? "room.invite.private" : "room.invite.public")),
      copyField("invitation", t("room.invite"), game.invitation?.url ?? linkTo(game.id))),
    game.tenure !== null && free > 0 && table.inviting.draw(game));
}

/** @param {import("./table.js").Table} table @param {Game} game @param {Seat} seat @param {(act: () => Promise<any>) => void} change */
function chair(table, game, seat, change) {
  const host = game.tenure !== null && game.tenure === game.host;
  const remove = () => change(() => ask("DELETE", `/api/games/${game.id}/seats/${seat.tenure}`).then(() => undefined));
  return h("li", { key: seat.tenure },
    h("span", {}, personName(table.talk, game, seat), seat.you && h("span", { className: "tag" }, t("seat.you")), seat.tenure === game.host && h("span", { className: "tag" }, t("room.host"))),
    host && !seat.you && h("button", { type: "button", "aria-label": t("room.remove.which", { name: seat.name }), onclick: remove }, t("room.remove")));
}

/** What comes next. @param {Game} game @param {number} free @param {boolean} host */
function next(game, free, host) {
  if (free > 0) return t(game.start === "full" ? "room.next.full" : "room.next.host");
  return t(host ? "room.next.you" : "room.next.wait");
}

/** @param {Game} game */
async function leave(game) {
  await attempt(async () => {
    await ask("DELETE", `/api/games/${game.id}/seats/${game.tenure}`);
    go("#/");
  });
}

/** What stands where no table is. */
export function gone() {
  return [h("h1", {}, t("table.gone")), h("p", {}, t("table.gone.why")),
    h("div", { className: "buttons" }, h("a", { className: "button main", href: "#/" }, t("to.lobby")))];
}
