// @ts-check
/**
 * Wishes to be told when two others wait for a game that is played live: made, seen and ended.
 *
 * @typedef {{ruleset: string, name: string, ends_at: string, told: boolean}} LiveWish
 */

import { get, request } from "../../base/api.js";
import { announce } from "../../base/controls/live_region.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { ensurePlayer } from "../sign_in/name_dialog.js";
import { player } from "../sign_in/session.js";

/** The wishes at all games, if there are any. @param {() => void} again redraws the page @returns {Promise<HTMLElement | null>} */
export async function liveWishesSection(again) {
  const wishes = await ownWishes();
  if (!wishes.length) return null;
  return h("section", { className: "sheet", id: "live-wishes" },
    h("h2", {}, t("live.wishes")),
    h("ul", { className: "item-list" }, wishes.map(each => h("li", {}, h("span", {}, each.name, h("br"), drawWords(each)), endButton(each.ruleset, again)))));
}

/** Shows in an element the wish at one game, and what makes or ends it, and keeps it up to date. @param {HTMLElement} drawn @param {string} slug */
export function showLiveWish(drawn, slug) {
  const again = async () => {
    const wish = player() ? (await ownWishes()).find(({ ruleset }) => ruleset === slug) : undefined;
    drawn.replaceChildren(...(wish ? [h("p", {}, drawWords(wish)), endButton(slug, again)] : [wishButton(slug, again)]));
  };
  return again();
}

/** @returns {Promise<LiveWish[]>} */
async function ownWishes() {
  return (await attempt(() => get("/api/me/live-wishes")))?.live_wishes ?? [];
}

/** @param {LiveWish} wish */
function drawWords({ ends_at: end, told }) {
  return h("small", { className: "soft" }, t(told ? "live.wish.until" : "live.wish.until.untold", { until: formatTime(end) }));
}

/** @param {string} slug @param {() => unknown} again */
function wishButton(slug, again) {
  const wish = async () => {
    if (!(await ensurePlayer())) return;
    await attempt(async () => {
      const { data: { live_wish: { told } } } = await request("PUT", `/api/me/live-wishes/${slug}`);
      showToast(t(told ? "live.wish.done" : "live.wish.untold"));
    });
    await again();
    document.getElementById("live-wish-end")?.focus();
  };
  return h("button", { type: "button", id: "live-wish", onclick: wish }, t("live.wish"));
}

/** @param {string} slug @param {() => unknown} again */
function endButton(slug, again) {
  const end = async () => {
    await attempt(() => request("DELETE", `/api/me/live-wishes/${slug}`));
    await again();
    announce(t("live.wish.ended"));
    document.getElementById("live-wish")?.focus();
  };
  return h("button", { type: "button", id: "live-wish-end", onclick: end }, t("live.wish.end"));
}
