// @ts-check
/** The page: its head, and under it whatever the address asks for. */

import { showInvitation } from "./api.js";
import { arrive } from "./arrival.js";
import { signal } from "./attention.js";
import { h, svg, update } from "./dom.js";
import { enter } from "./enter.js";
import { finished } from "./finished.js";
import { lobby } from "./lobby.js";
import { me } from "./me.js";
import { attempt, tell, tidy } from "./notice.js";
import { open } from "./open.js";
import { onPlayer, player, recall, signIn } from "./player.js";
import { route } from "./route.js";
import { rules } from "./rules.js";
import { applyTheme, onSettings, otherTheme, setLanguage, setTheme } from "./settings.js";
import { load } from "./store.js";
import { stamp } from "./suits.js";
import { table } from "./table.js";
import { LANGUAGES, language, preferred, speak, t } from "./words.js";

const head = h("header", { className: "head" });
const main = h("main", { id: "main", tabindex: -1 });
const foot = h("footer", { className: "foot" });
/** Ends what is shown. @type {() => void} */
let leave = () => {};
/** Whoever came by a link out of a mail. @type {import("./arrival.js").Arrival | null} */
let arrival = null;

async function start() {
  applyTheme();
  await speak(preferred());
  document.body.prepend(head, main, foot);
  onPlayer(drawHead);
  onSettings(() => {
    drawHead();
    show();
  });
  addEventListener("hashchange", show);
  await attempt(recall);
  drawHead();
  await show();
}

/** Shows what the address asks for. */
async function show() {
  const at = route(location.hash);
  leave();
  leave = () => {};
  tidy();
  signal(false, "");
  main.replaceChildren();
  main.className = at.page;
  scrollTo(0, 0);
  if (at.page === "lobby") leave = lobby(main);
  else if (at.page === "new") open(main, at.slug);
  else if (at.page === "rules") rules(main, at.slug);
  else if (at.page === "me") me(main);
  else if (at.page === "finished") finished(main, at.ruleset, at.tenure);
  else if (at.page === "enter") enter(main);
  else if (at.page === "arrival") {
    arrival = at;
    history.replaceState(null, "", "/#/arrived");
    arrive(main, at);
  } else if (at.page === "arrived") {
    if (arrival) arrive(main, arrival);
    else leave = lobby(main);
  } else if (at.page === "back") await back(at.key);
  else {
    if (at.invitation) showInvitation(at.id, at.invitation);
    leave = table(main, at.id);
  }
}

/** A guest comes back; the secret does not stay in the address. @param {string} key */
async function back(key) {
  history.replaceState(null, "", "/");
  await attempt(async () => {
    await signIn({ key });
    if (!load("language")) await setLanguage(player()?.language ?? language());
    tell(t("back.welcome", { name: player()?.name ?? "" }));
  });
  await show();
}

function drawHead() {
  const other = LANGUAGES.find(each => each !== language()) ?? language();
  update(head,
    h("a", { className: "skip", href: "#main", onclick: skip }, t("skip")),
    h("a", { className: "brand", href: "#/" }, stamp(), h("span", {}, t("brand"))),
    h("nav", { "aria-label": t("nav") },
      h("button", { type: "button", className: "plain", lang: other, onclick: () => setLanguage(other) }, t("language.other")),
      h("button", { type: "button", className: "plain", "aria-label": t("theme.other"), title: t("theme.other"), onclick: () => setTheme(otherTheme()) }, halfMoon()),
      h("a", { className: "me-link", href: "#/me" }, player()?.name ?? t("me.guest"))));
  update(foot, h("a", { href: `/privacy?lang=${language()}` }, t("data.privacy")));
}

/** @param {MouseEvent} event */
function skip(event) {
  event.preventDefault();
  main.focus();
}

function halfMoon() {
  return svg("svg", { className: "moon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("circle", { cx: 12, cy: 12, r: 8.5 }),
    svg("path", { d: "M12 3.5A8.5 8.5 0 0 1 12 20.5Z" }));
}

start();
