// @ts-check
/**
 * The people whom the user follows, and those who follow the user.
 *
 * @typedef {{id: string, name: string, mutual: boolean}} Follow
 */

import { get, request } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";

/** How many of each are shown. */
const MOST = 100;

/** The keys of what is said of both. */
const SAID = {
  follows: { title: "follows.title", what: "follows.what", none: "follows.none", end: "follows.end", endOf: "follows.end.which" },
  followers: { title: "followers.title", what: "followers.what", none: "followers.none", end: "followers.end", endOf: "followers.end.which" },
};

/** @returns {Promise<{follows: Follow[], followers: Follow[]}>} */
export async function loadFollows() {
  const [{ follows }, { followers }] = await Promise.all([get(`/api/me/follows?limit=${MOST}`), get(`/api/me/followers?limit=${MOST}`)]);
  return { follows, followers };
}

/** @param {Follow[]} follows @param {() => void} again loads the page anew */
export function drawFollows(follows, again) {
  return drawPeople("follows", "/api/me/follows", follows, again);
}

/** @param {Follow[]} followers @param {() => void} again loads the page anew */
export function drawFollowers(followers, again) {
  return drawPeople("followers", "/api/me/followers", followers, again);
}

/** @param {"follows" | "followers"} which @param {string} path @param {Follow[]} people @param {() => void} again */
function drawPeople(which, path, people, again) {
  const end = (/** @type {string} */ id) => attempt(() => request("DELETE", `${path}/${id}`)).then(again);
  const said = SAID[which];
  return h("section", { className: "sheet", key: which },
    h("h2", {}, t(said.title)),
    h("p", { className: "soft" }, t(people.length ? said.what : said.none)),
    h("ul", { className: "item-list" }, people.map(({ id, name, mutual }) => h("li", { key: id },
      h("span", {}, name, mutual && h("span", { className: "tag" }, t("follows.mutual"))),
      h("button", { type: "button", "aria-label": t(said.endOf, { name }), onclick: () => end(id) }, t(said.end))))));
}
