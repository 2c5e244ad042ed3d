// @ts-check
/** The browsers in which the user is signed in, and signing out of one or all. */

import { get, request } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { goTo } from "../../base/routes.js";
import { formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { player, signOut } from "../sign_in/session.js";

/** @typedef {{id: string, browser: string | null, seen_at: string, current: boolean}} SignIn */

/** @param {() => void} again redraws the page @returns {Promise<HTMLElement | null>} */
export async function signInsSection(again) {
  /** @type {SignIn[] | undefined} */
  const all = (await attempt(() => get("/api/me/sign-ins")))?.sign_ins;
  if (!all) return null;
  return h("section", { className: "sheet", id: "sign-ins" },
    h("h2", {}, t("sign-ins.title")),
    h("ul", { className: "item-list" }, all.map(each => drawSignIn(each, again))),
    player()?.guest && h("p", { className: "soft small" }, t("me.out.why")),
    h("p", { className: "soft small" }, t("sign-ins.everywhere.why")),
    h("div", { className: "buttons" },
      h("button", { type: "button", id: "sign-out", onclick: signOutHere }, t("me.out")),
      h("button", { type: "button", id: "everywhere", onclick: signOutEverywhere }, t("sign-ins.everywhere"))));
}

/** @param {SignIn} signIn @param {() => void} again */
function drawSignIn({ id, browser, seen_at: seen, current }, again) {
  const name = browser ?? t("sign-ins.unknown");
  const end = () => attempt(async () => {
    await request("DELETE", `/api/me/sign-ins/${id}`);
    again();
  });
  return h("li", {},
    h("span", {}, name, current && h("span", { className: "tag" }, t("sign-ins.here")), h("small", { className: "soft" }, t("sign-ins.seen", { time: formatTime(seen) }))),
    !current && h("button", { type: "button", "aria-label": t("sign-ins.end.which", { browser: name }), onclick: end }, t("sign-ins.end")));
}

async function signOutHere() {
  await attempt(() => signOut(() => request("DELETE", "/api/sign-ins/current")));
  goTo("/");
}

async function signOutEverywhere() {
  await attempt(async () => {
    await signOut(() => request("DELETE", "/api/me/sign-ins"));
    goTo("/enter");
  });
}
