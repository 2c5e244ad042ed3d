// @ts-check
/** The user's ratings and page, who else may see them, and whether they are on leaderboards. Guests have none. */

import { get, request } from "../../base/api.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { RATINGS, toPlayer } from "../../base/routes.js";
import { t } from "../../base/words.js";
import { player } from "../sign_in/session.js";

/** @typedef {{name: string, rating: number, deviation: number, games: number}} Rating */

/** Who else may see them. */
const FOR = ["played", "everyone", "nobody"];

/** @returns {Promise<HTMLElement | null>} */
export async function ratingsSection() {
  if (player()?.guest) return null;
  const found = await attempt(() => Promise.all([get("/api/me/ratings"), get("/api/me/settings")]));
  if (!found) return null;
  const [{ ratings }, { settings }] = found;
  return h("section", { className: "sheet", id: "ratings" },
    h("h2", {}, t("ratings.title")),
    h("p", {}, h("a", { href: RATINGS }, t("lobby.ratings"))),
    ratings.length ? h("ul", {}, ratings.map(drawRating)) : h("p", { className: "soft" }, t("ratings.none")),
    drawFor("ratings-for", "ratings.for", settings.ratings_for, wish => ({ ratings_for: wish })),
    drawBox("on-leaderboards", "ratings.listed", settings.on_leaderboards, wish => ({ on_leaderboards: wish })),
    h("p", {}, h("a", { href: toPlayer(player()?.handle ?? "") }, t("ratings.page"))),
    drawFor("page-for", "player.for", settings.page_for, wish => ({ page_for: wish })),
    drawBox("show-hours", "player.show-hours", settings.show_hours, wish => ({ show_hours: wish })));
}

/** @param {Rating} rating */
function drawRating({ name, rating, deviation, games }) {
  return h("li", {}, t("ratings.entry", { name, rating, deviation, games }));
}

/** @param {string} id @param {string} word @param {string} chosen @param {(chosen: string) => object} wish the change of the settings */
function drawFor(id, word, chosen, wish) {
  const field = h("select", { id, onchange: () => change(wish(field.value)) },
    FOR.map(each => h("option", { value: each, selected: each === chosen }, t(`ratings.for.${each}`))));
  return h("div", { className: "field" }, h("label", { for: id }, t(word)), field);
}

/** @param {string} id @param {string} word @param {boolean} checked @param {(checked: boolean) => object} wish the change of the settings */
function drawBox(id, word, checked, wish) {
  const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id, checked, onchange: () => change(wish(box.checked)) }));
  return h("label", { className: "choice" }, box, h("span", {}, t(word)));
}

/** @param {object} wish */
function change(wish) {
  return attempt(async () => {
    await request("PATCH", "/api/me/settings", { body: wish });
    showToast(t("me.saved"));
  });
}
