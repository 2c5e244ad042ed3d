// @ts-check
/**
 * The leaderboard of a game: who wants to be on it and has a rating that is sure enough, the best first; above, the user's place.
 *
 * @typedef {{rank: number | null, listed: boolean, sure: boolean, rating: number, deviation: number, games: number}} Own
 * @typedef {{rank: number, name: string, house: boolean, handle: string | null, program: boolean, you: boolean, rating: number, deviation: number, games: number}} Entry
 * @typedef {(slug: string) => import("../../base/dom.js").Child} DrawStamp
 * @typedef {{entries: Entry[], own: Own | null, most_deviation: number, next: string | null}} Leaderboard
 */

import { get } from "../../base/api.js";
import { loadOrShowNothing } from "../../base/controls/nothing_here.js";
import { attempt } from "../../base/controls/toasts.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { h, update } from "../../base/dom.js";
import { RATINGS, toPlayer } from "../../base/routes.js";
import { t } from "../../base/words.js";
import { player } from "../sign_in/session.js";
import { drawNoRating } from "./explanation.js";

/** The last place that is counted for those who are not among the entries that are shown. */
const COUNTED = 1000;

/** @param {HTMLElement} main @param {string} slug @param {DrawStamp} drawStamp */
export async function leaderboardPage(main, slug, drawStamp) {
  const path = `/api/rulesets/${slug}/leaderboard`;
  /** @type {[{name: string}, Leaderboard] | undefined} */
  const found = await loadOrShowNothing(main, () => Promise.all([get(`/api/rulesets/${slug}`), get(path)]));
  if (!found) return;
  const [{ name }, board] = found;
  const title = t("leaderboard.title", { name });
  setTitle(false, title);
  show(board.entries, board.next);

  /** @param {Entry[]} entries @param {string | null} next */
  function show(entries, next) {
    update(main,
      h("div", { className: "room-head" }, drawStamp(slug), h("div", {}, h("h1", {}, title), h("p", { className: "small" }, t("leaderboard.who", { n: board.most_deviation })))),
      board.own ? drawOwn(board.own) : drawNoRating(player()),
      entries.length > 0 ? drawEntries(entries, title) : h("p", { className: "soft" }, t("leaderboard.none")),
      h("div", { className: "buttons" },
        next && h("button", { type: "button", key: "more", onclick: () => more(entries, next) }, t("leaderboard.more")),
        h("a", { className: "button", key: "all", href: RATINGS }, t("leaderboard.about"))));
  }

  /** The focus goes to the first of the further entries, since the button may have gone. @param {Entry[]} entries @param {string} cursor */
  async function more(entries, cursor) {
    const page = await attempt(() => get(`${path}?cursor=${cursor}`));
    if (!page || !main.isConnected) return;
    show([...entries, ...page.entries], page.next);
    /** @type {HTMLElement | null} */ (main.querySelector(`[data-key="${entries.length + 1}"]`))?.focus();
  }
}

/** The user's rating, and their place or why they have none. @param {Own} own */
function drawOwn(own) {
  const { rank, listed, rating, deviation } = own;
  return h("p", { id: "own-place" },
    rank === null ? t("leaderboard.own", { rating, deviation }) : t("leaderboard.own.rank", { rank, rating, deviation }), " ",
    rank === null && [whyNoPlace(own), " "],
    !listed && h("a", { href: "/me/ratings" }, t("ratings.settings")));
}

/** @param {Own} own */
function whyNoPlace({ listed, sure }) {
  if (!listed) return t("leaderboard.own.unlisted");
  return sure ? t("leaderboard.own.far", { n: COUNTED }) : t("leaderboard.own.unsure");
}

/** @param {Entry[]} entries @param {string} title */
function drawEntries(entries, title) {
  const heads = ["rank", "name", "rating", "games"].map(each => h("th", { scope: "col" }, t(`leaderboard.${each}`)));
  return h("div", { className: "prose", key: "entries" }, h("table", {},
    h("caption", { className: "hidden" }, title),
    h("thead", {}, h("tr", {}, heads)),
    h("tbody", {}, entries.map(drawEntry))));
}

/** @param {Entry} entry */
function drawEntry({ rank, name, handle, program, you, rating, deviation, games }) {
  const called = program ? t("program.called", { name }) : name;
  return h("tr", { key: rank, tabindex: -1, "aria-current": you ? "true" : null },
    h("td", {}, rank),
    h("th", { scope: "row" }, handle ? h("a", { href: toPlayer(handle) }, called) : called, you && [" ", h("b", {}, t("leaderboard.you"))]),
    h("td", {}, t("leaderboard.points", { rating, deviation })),
    h("td", {}, games));
}
