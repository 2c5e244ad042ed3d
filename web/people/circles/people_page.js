// @ts-check
/**
 * The user's people: their circles, whom they follow, and who follows them.
 *
 * @typedef {{id: string, name: string, host: boolean, unread: number}} CircleSummary
 */

import { get, post } from "../../base/api.js";
import { drawForm } from "../../base/controls/form.js";
import { attempt } from "../../base/controls/toasts.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { h, update } from "../../base/dom.js";
import { goTo, toCircle } from "../../base/routes.js";
import { t } from "../../base/words.js";
import { player } from "../sign_in/session.js";
import { drawFollowers, drawFollows, loadFollows } from "./follows.js";

/** @param {HTMLElement} main */
export async function peoplePage(main) {
  setTitle(false, t("people.title"));
  if (!player()?.address) return update(main, h("h1", {}, t("people.title")), drawForGuests());
  const found = await attempt(() => Promise.all([get("/api/me/circles"), loadFollows()]));
  if (!found || !main.isConnected) return;
  const [{ circles }, { follows, followers }] = found;
  const again = () => peoplePage(main);
  update(main,
    h("h1", {}, t("people.title")),
    drawCircles(circles),
    drawFollows(follows, again),
    drawFollowers(followers, again),
    h("p", { className: "buttons" }, h("a", { className: "button", href: "/" }, t("to.lobby"))));
}

/** What is needed to have people. */
export function drawForGuests() {
  return h("p", {}, t("people.guest"), " ", h("a", { href: "/me" }, t("account.title")));
}

/** @param {CircleSummary[]} circles */
function drawCircles(circles) {
  return h("section", { className: "sheet", key: "circles" },
    h("h2", {}, t("circles.title")),
    h("p", { className: "soft" }, t("circles.what")),
    h("ul", { className: "item-list" }, circles.map(({ id, name, host, unread }) => h("li", { key: id },
      h("span", {}, h("a", { href: toCircle(id) }, name), host && h("span", { className: "tag" }, t("circles.host"))),
      unread > 0 && h("span", { className: "badge", role: "img", "aria-label": t("talk.unread", { n: unread }) }, unread)))),
    drawForm("circle", {
      fields: [{ name: "name", label: t("circles.name"), required: true, maxlength: 40, autocomplete: "off" }],
      buttons: [["", t("circles.found")]],
      send: async ({ name }) => goTo(toCircle((await post("/api/circles", { name: name.trim() })).id)),
    }));
}
