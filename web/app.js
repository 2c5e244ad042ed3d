// @ts-check
/**
 * The entry point: draws the header, then the screen that the address names.
 *
 * @typedef {import("./base/routes.js").Route} Route
 */

import { loadModule, showInvitation } from "./base/api.js";
import { load } from "./base/browser_storage.js";
import { guardClicks, justAppeared } from "./base/controls/just_appeared.js";
import { loadOrShowNothing, showNothingHere } from "./base/controls/nothing_here.js";
import { attempt, clearToast, showToast } from "./base/controls/toasts.js";
import { h } from "./base/dom.js";
import { dropFirstAnswers } from "./base/first_answers.js";
import { followAddress, parseAddress, replaceEarlierAddress } from "./base/routes.js";
import { setTitle } from "./base/controls/title_and_icon.js";
import { language, loadLanguage, preferredLanguage, t } from "./base/words.js";
import { openedOffline, registerWorker } from "./base/worker_registration.js";
import { browserSettings, drawHeader, footer, header } from "./header_and_footer.js";
import { finishedGamesPage } from "./lobby/finished_games.js";
import { lobbyPage } from "./lobby/lobby.js";
import { newTablePage } from "./lobby/new_table/new_table_page.js";
import { applyTheme, onChange, setLanguage } from "./people/settings/language_and_theme.js";
import { mailedLinkPage } from "./people/sign_in/mailed_link_page.js";
import { confirmReplacing } from "./people/sign_in/replacing.js";
import { loadPlayer, onPlayerChange, onPlayerReplaced, player, signIn } from "./people/sign_in/session.js";
import { signInPage } from "./people/sign_in/sign_in_page.js";
import { rulesPage } from "./rules_page/rules.js";
import { drawShownTable } from "./table/screen/still_table.js";
import { tablePage } from "./table/screen/table_page.js";

/** Where the present screen is drawn; each has its own, so that one that was left draws out of sight. */
let main = h("main", { id: "main", tabindex: -1 });
/** The address with which this document was opened. */
const arrivedAt = location.href;
/** Stops the screen that is shown. @type {() => void} */
let leave = () => {};
/** The link from a mail that opened the page. @type {import("./base/routes.js").MailedLink | null} */
let mailedLink = null;

/**
 * Shows each screen; returns what stops it, if anything has to be.
 * @type {{[page in Route["page"]]: (route: Extract<Route, {page: page}>) => unknown}}
 */
const SCREENS = {
  lobby: () => lobbyPage(main, drawShownTable),
  new: ({ slug }) => newTablePage(main, slug),
  rules: ({ slug, version }) => rulesPage(main, slug, version),
  table: ({ id, invitation, at, panel }) => {
    if (invitation) showInvitation(id, invitation);
    return tablePage(main, browserSettings, id, at, panel);
  },
  finished: ({ ruleset, tenure }) => finishedGamesPage(main, ruleset, tenure),
  settings: ({ section }) => openSettings(main, section),
  "sign-in": () => signInPage(main),
  "secret-link": ({ key }) => signInByLink(key),
  "mailed-link": openMailedLink,
  "not-found": () => showNothingHere(main),
  "opened-link": () => (mailedLink ? mailedLinkPage(main, mailedLink) : lobbyPage(main, drawShownTable)),
};

async function start() {
  guardClicks();
  applyTheme();
  await loadLanguage(preferredLanguage());
  document.getElementById("arriving")?.remove();
  document.body.prepend(header, main, footer);
  onPlayerChange(drawHeader);
  onPlayerReplaced(() => {
    if (main.hasChildNodes()) showAnother(); // what the screen knew was somebody else's
  });
  onChange(() => {
    drawHeader();
    showAnother();
  });
  followAddress(showAnother);
  const loading = attempt(loadPlayer);
  const waits = !player() || parseAddress(location).page !== "table"; // a table draws what its own answer says
  if (waits && !openedOffline()) await loading;
  drawHeader();
  show();
  registerWorker();
}

/** Shows a screen after the first one. */
function showAnother() {
  dropFirstAnswers();
  show();
}

/** Shows the screen that the address names. */
function show() {
  const present = replaceEarlierAddress(location);
  if (present) history.replaceState(null, "", present);
  const route = parseAddress(location);
  leave();
  clearToast();
  setTitle(false, "");
  const fresh = h("main", { id: "main", tabindex: -1, className: route.page });
  justAppeared(fresh, main.hasChildNodes() ? undefined : 0); // the first screen comes with the document
  main.replaceWith(fresh);
  main = fresh;
  scrollTo(0, 0);
  const stop = SCREENS[route.page](/** @type {any} */ (route));
  leave = typeof stop === "function" ? /** @type {() => void} */ (stop) : () => {};
}

/** Shows a link from a mail and removes its key from the address. @param {import("./base/routes.js").MailedLink} link */
function openMailedLink(link) {
  mailedLink = link;
  history.replaceState(null, "", "/arrived");
  mailedLinkPage(main, link);
}

/** Few visits need the settings, so they are loaded now. @param {HTMLElement} main @param {string} [section] */
async function openSettings(main, section) {
  const module = await loadOrShowNothing(main, () => loadModule(import("./people/settings/settings_page.js")));
  if (module) await module.settingsPage(main, section);
  else if (main.isConnected && location.href !== arrivedAt) location.reload(); // a newer server has other files
}

/** Signs a guest in with the key of their secret link, which is removed from the address. @param {string} key */
async function signInByLink(key) {
  history.replaceState(null, "", "/");
  await attempt(async () => {
    if (!await confirmReplacing(key)) return;
    await signIn({ key });
    if (!load("language")) await setLanguage(player()?.language ?? language());
    showToast(t("back.welcome", { name: player()?.name ?? "" }));
  });
  show();
}

start();
