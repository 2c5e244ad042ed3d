// @ts-check
/**
 * The result: who won, how the scores came about, and what to do next.
 *
 * @typedef {import("../../base/api.js").Game} Game
 */

import { post, Problem } from "../../base/api.js";
import { copyText } from "../../base/controls/copy_field.js";
import { sitOrAsk } from "../../base/controls/kept_apart.js";
import { openLate } from "../../base/controls/late_part.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { bringNonce, postWithNonce } from "../../base/nonces.js";
import { DAILY, goTo, tableUrl, toFinished, toTable } from "../../base/routes.js";
import { colourCards, loadAllWords, t } from "../../base/words.js";
import { drawStamp } from "../../cards/stamp.js";
import { drawProgramTag } from "../../talk/person_menu.js";
import { SeenGame } from "../../verify/seen_game.js";

const DAY = 86_400_000; // milliseconds

/** @param {Game} game @param {import("../state/table.js").Table | null} [table]  unless this is a part of looking back */
export function drawResult(game, table = null) {
  const { result } = game;
  if (!result) return null;
  return h("section", { className: "result sheet", key: "result", "aria-label": t("result") },
    h("div", { className: "verdict" }, drawStamp(game.ruleset.slug, game.ended_at), h("p", { className: "sentence" }, colourCards(result.words))),
    h("ol", { className: "scores" }, ranked(game).map(({ seat, name, you, house, program, tenure }) =>
      h("li", { className: result.winners.includes(seat ?? -1) ? "won" : "", key: String(seat) },
        h("p", {},
          h("span", {}, name, drawProgramTag({ program }), you && h("span", { className: "tag" }, t("seat.you"))),
          game.seat !== null && !you && !house && h("a", { className: "small", href: toFinished("", tenure) }, t("finished.together")),
          result.winners.includes(seat ?? -1) && h("span", { className: "tag" }, t("result.won")),
          h("span", { className: "score" }, result.score_words[seat ?? -1]))))),
    h("div", { className: "buttons" },
      game.deal && h("a", { className: "button main", id: "others", href: `${DAILY}/${game.deal}` }, t("result.others")),
      game.seat !== null && !game.lesson && !game.deal && h("button", { type: "button", className: "main", id: "rematch", onclick: () => openRematch(game.id) }, againWith(game)),
      table && h("button", { type: "button", id: "replay", onclick: () => table.replay.show(game, 1) }, t("replay.start")),
      addressOf(game) && h("button", { type: "button", id: "send", onclick: () => sendToFriend(game) }, t("result.send"))),
    !table && drawWays(game));
}

/** How the scores came about, beneath the final table. @param {Game} game @param {import("../state/table.js").Table} table */
export function drawSums(game, table) {
  return h("section", { className: "sums sheet", key: "sums" },
    table.scores.draw(game, number => table.replay.show(game, number)),
    drawWays(game, table),
    table.analysis?.draw(),
    table.verification.draw());
}

/** @param {Game} game @param {import("../state/table.js").Table | null} [table]  unless this is a part of looking back */
function drawWays(game, table) {
  return h("div", { className: "buttons", key: "ways" },
    table && game.seat !== null && !game.lesson && !isDealOfToday(game) && !table.analysis && h("button", { type: "button", id: "analysis-start", key: "analysis", onclick: () => analyse(table) }, t("analysis.start")),
    h("a", { className: game.seat === null || game.lesson ? "button main" : "button", href: `/new/${game.ruleset.slug}` }, t("lobby.new")),
    h("a", { className: "button", href: "/" }, t("to.lobby")),
    !game.lesson && !game.deal && h("a", { className: "button", href: `/api/games/${game.id}/record`, download: `${game.id}.json` }, t("result.record")));
}

/** What few people look at is loaded now. @param {import("../state/table.js").Table} table */
function analyse(table) {
  openLate(() => Promise.all([import("../replay/analysis.js"), loadAllWords()]), ([{ analyse: begin }]) => begin(table));
}

/** Whether others may still play the same deal: what is worked out about it would help them. @param {Game} game */
function isDealOfToday({ deal }) {
  return deal !== null && Date.now() < Date.parse(deal) + DAY; // days are those of UTC
}

/** With whom: nobody plays together with programs. @param {Game} game */
function againWith({ seats, seat: me }) {
  const names = seats.filter(({ seat, house }) => seat !== me && !house).map(({ name }) => name);
  return names.length ? t("result.again.with", { names: names.join(t("comma")) }) : t("result.again");
}

/** Those who won before the others, and the higher score before the lower. @param {Game} game */
function ranked({ seats, result }) {
  const won = (/** @type {number | null} */ seat) => Number(result?.winners.includes(seat ?? -1));
  const score = (/** @type {number | null} */ seat) => result?.scores[seat ?? -1] ?? 0;
  return [...seats].sort((one, other) => won(other.seat) - won(one.seat) || score(other.seat) - score(one.seat));
}

/** What leads anybody to this page: to that of a private table only the link that its people are shown. @param {Game} game */
function addressOf(game) {
  return game.private ? game.invitation?.url ?? "" : tableUrl(game.id);
}

/** By whatever the device sends things with, or else by hand. @param {Game} game */
async function sendToFriend(game) {
  const url = addressOf(game);
  if (navigator.share) return navigator.share({ title: `${game.ruleset.name} – Tegami`, url }).catch(() => {}); // the user may think better of it
  await copyText(url);
}

/** Opens a table for the same people, or joins it if one of them already has. @param {string} id of the finished game */
async function openRematch(id) {
  await attempt(async () => {
    const game = await sitOrAsk(more => joinOrOpen(`/api/games/${id}/rematch`, more));
    if (game) goTo(toTable(game.id));
  });
}

/** @param {string} path of the rematch @param {{anyway?: true}} more */
async function joinOrOpen(path, more) {
  try {
    return await postWithNonce(path, more);
  } catch (problem) {
    if (!(problem instanceof Problem && problem.slug === "no-commitment")) throw problem;
  }
  const game = await post(path, more);
  new SeenGame(game.id).saw(game); // before the nonce is brought
  await attempt(() => bringNonce(game));
  return game;
}
