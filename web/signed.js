// @ts-check
/** Where I am signed in, and signing out: one browser, or all of them. */

import { ask, get } from "./api.js";
import { h } from "./dom.js";
import { attempt } from "./notice.js";
import { now, player, signOut } from "./player.js";
import { go } from "./route.js";
import { saveHere } from "./store.js";
import { clock } from "./time.js";
import { t } from "./words.js";

/** @typedef {{id: string, browser: string | null, seen_at: string, current: boolean}} SignIn */

/** @param {() => void} again shows it anew @returns {Promise<HTMLElement | null>} */
export async function signInsSection(again) {
  /** @type {SignIn[] | undefined} */
  const all = (await attempt(() => get("/api/me/sign-ins")))?.sign_ins;
  if (!all) return null;
  return h("section", { className: "sheet", id: "sign-ins" },
    h("h2", {}, t("signed.title")),
    h("ul", { className: "tokens" }, all.map(each => row(each, again))),
    player()?.guest && h("p", { className: "soft small" }, t("me.out.why")),
    h("p", { className: "soft small" }, t("signed.everywhere.why")),
    h("div", { className: "buttons" },
      h("button", { type: "button", id: "sign-out", onclick: leave }, t("me.out")),
      h("button", { type: "button", id: "everywhere", onclick: everywhere }, t("signed.everywhere"))));
}

/** @param {SignIn} signIn @param {() => void} again */
function row({ id, browser, seen_at: seen, current }, again) {
  const name = browser ?? t("signed.unknown");
  const end = () => attempt(async () => {
    await ask("DELETE", `/api/me/sign-ins/${id}`);
    again();
  });
  return h("li", {},
    h("span", {}, name, current && h("span", { className: "tag" }, t("signed.here")), h("small", { className: "soft" }, t("signed.seen", { time: clock(seen) }))),
    !current && h("button", { type: "button", "aria-label": t("signed.end.which", { browser: name }), onclick: end }, t("signed.end")));
}

async function leave() {
  await attempt(signOut);
  go("#/");
}

async function everywhere() {
  await attempt(async () => {
    await ask("DELETE", "/api/me/sign-ins");
    saveHere("link", null);
    now(null);
    go("#/enter");
  });
}
