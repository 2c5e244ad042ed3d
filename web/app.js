// @ts-check
/**
 * The entry point: draws the header, then the screen that the address names.
 *
 * @typedef {import("./base/routes.js").Route} Route
 */

import { loadModule, showInvitation } from "./base/api.js";
import { load } from "./base/browser_storage.js";
import { guardClicks, justAppeared } from "./base/controls/just_appeared.js";
import { drawFailed } from "./base/controls/late_part.js";
import { loadOrShowNothing, showNothingHere } from "./base/controls/nothing_here.js";
import { attempt, clearToast, showToast } from "./base/controls/toasts.js";
import { h } from "./base/dom.js";
import { dropFirstAnswers } from "./base/first_answers.js";
import { followAddress, parseAddress, replaceEarlierAddress } from "./base/routes.js";
import { setTitle } from "./base/controls/title_and_icon.js";
import { LANGUAGES, language, loadAllWords, loadLanguage, preferredLanguage, t } from "./base/words.js";
import { openedOffline, registerWorker } from "./base/worker_registration.js";
import { drawStamp } from "./cards/stamp.js";
import { browserSettings, drawHeader, footer, header } from "./header_and_footer.js";
import { lobbyPage } from "./lobby/lobby.js";
import { playNow } from "./lobby/new_table/open_table.js";
import { drawTableList, mineState, outcomeText } from "./lobby/table_list.js";
import { applyTheme, onChange, setLanguage } from "./people/settings/language_and_theme.js";
import { confirmReplacing } from "./people/sign_in/replacing.js";
import { loadPlayer, onPlayerChange, onPlayerReplaced, player, signIn } from "./people/sign_in/session.js";
import { signInPage } from "./people/sign_in/sign_in_page.js";
import { drawShownTable } from "./table/screen/still_table.js";

/** Where the present screen is drawn; each has its own, so that one that was left draws out of sight. */
let main = h("main", { id: "main", tabindex: -1 });
/** Stops the screen that is shown. @type {() => void} */
let leave = () => {};
/** The link from a mail that opened the page. @type {import("./base/routes.js").MailedLink | null} */
let mailedLink = null;

/** Not every visit needs these screens: they are loaded when they are shown. */
const CIRCLE = () => withAllWords(import("./people/circles/circle_page.js"));
const FINISHED = () => withAllWords(import("./lobby/finished_games.js"));
const LIVE_WISHES = () => withAllWords(import("./people/settings/live_wishes.js"));
const MAILED_LINK = () => withAllWords(import("./people/sign_in/mailed_link_page.js"));
const NEW_TABLE = () => withAllWords(import("./lobby/new_table/new_table_page.js"));
const DAILY_PAGE = () => withAllWords(import("./lobby/daily/daily_page.js"));
const PUZZLES = () => withAllWords(import("./lobby/puzzles/puzzles_page.js"));
const RATINGS_PAGE = () => withAllWords(import("./people/ratings/ratings_page.js"));
const PLAYER = () => withAllWords(import("./people/player_page/player_page.js"));
const RULES = () => import("./rules_page/rules_page.js");
const SERIES_PAGE = () => withAllWords(import("./people/series/series_page.js"));
const SETTINGS = () => withAllWords(import("./people/settings/settings_page.js"));
const TABLE = () => import("./table/screen/table_page.js");
/** Those whose document has brought more than a script: it stays until they are there. @type {{[page in Route["page"]]?: () => Promise<unknown>}} */
const AWAITED = { rules: RULES, table: TABLE };
/** How lists of tables are drawn. */
const tablesAsDrawn = { list: drawTableList, seated: mineState, ended: outcomeText };
/** How wishes to be told of live games are shown: two screens do, and what both imported would be loaded with every visit. */
const liveWishes = {
  section: async (/** @type {() => void} */ again) => (await attempt(async () => (await loadModule(LIVE_WISHES())).liveWishesSection(again))) ?? null,
  show: (/** @type {HTMLElement} */ drawn, /** @type {string} */ slug) => attempt(async () => (await loadModule(LIVE_WISHES())).showLiveWish(drawn, slug)),
};
/** What leads to a table. */
const TO_TABLE = "a[href^='/games/'], [data-play], [data-first], [data-lesson]";

/**
 * Shows each screen; returns what stops it, if anything has to be.
 * @type {{[page in Route["page"]]: (route: Extract<Route, {page: page}>) => unknown}}
 */
const SCREENS = {
  lobby: () => lobbyPage(main, drawShownTable),
  new: ({ slug, circle, series }) => later(NEW_TABLE, ({ newTablePage }, here) => newTablePage(here, slug, circle, series, liveWishes.show)),
  rules: ({ slug, version, example }) => later(RULES, ({ rulesPage }, here) => rulesPage(here, slug, version, example, { drawTable: drawShownTable, play: playNow })),
  table: ({ id, invitation, at, panel }) => {
    if (invitation) showInvitation(id, invitation);
    return later(TABLE, ({ tablePage }, here) => tablePage(here, browserSettings, id, at, panel));
  },
  finished: ({ ruleset, tenure }) => later(FINISHED, ({ finishedGamesPage }, here) => finishedGamesPage(here, ruleset, tenure)),
  daily: ({ day, friend }) => later(DAILY_PAGE, ({ dailyPage }, here) => dailyPage(here, day, friend, drawStamp)),
  puzzles: route => later(PUZZLES, ({ puzzlesPage }, here) => puzzlesPage(here, route, { drawTable: drawShownTable, drawStamp })),
  people: () => later(CIRCLE, ({ peopleOrCirclePage }, here) => peopleOrCirclePage(here, "", tablesAsDrawn)),
  circle: ({ id, key }) => {
    if (key) showInvitation(id, key);
    return later(CIRCLE, ({ peopleOrCirclePage }, here) => peopleOrCirclePage(here, id, tablesAsDrawn));
  },
  series: ({ id, circle }) => later(SERIES_PAGE, ({ seriesPage }, here) => seriesPage(here, id, circle, tablesAsDrawn)),
  ratings: ({ slug }) => later(RATINGS_PAGE, ({ ratingsPage }, here) => ratingsPage(here, slug, drawStamp)),
  player: ({ handle, seat }) => later(PLAYER, ({ playerPage }, here) => playerPage(here, handle, seat)),
  settings: ({ section }) => later(SETTINGS, ({ settingsPage }, here) => settingsPage(here, liveWishes.section, section)),
  "sign-in": () => signInPage(main),
  "secret-link": ({ key }) => signInByLink(key),
  "mailed-link": openMailedLink,
  "not-found": () => showNothingHere(main),
  "opened-link": () => (mailedLink ? showMailedLink(mailedLink) : lobbyPage(main, drawShownTable)),
};

async function start() {
  guardClicks();
  applyTheme();
  await loadFirstLanguage(languageOfAddress() ?? preferredLanguage());
  onPlayerChange(drawHeader);
  onPlayerReplaced(() => {
    if (main.hasChildNodes()) showAnother(); // what the screen knew was somebody else's
  });
  onChange(() => {
    drawHeader();
    showAnother();
  });
  followAddress(showAnother);
  addEventListener("pointerdown", loadTableAhead, { passive: true });
  const screen = AWAITED[parseAddress(location).page];
  const coming = screen && attempt(() => loadModule(screen()));
  const loading = attempt(loadPlayer);
  const waits = !player() || parseAddress(location).page !== "table"; // a table draws what its own answer says
  if (waits && !openedOffline()) await loading;
  await coming; // what has arrived can be read meanwhile
  document.getElementById("arriving")?.remove();
  document.body.prepend(header, main, footer);
  drawHeader();
  show();
  registerWorker();
}

/** Without a connection there are only the languages that were used here. @param {string} wished */
async function loadFirstLanguage(wished) {
  try {
    await loadLanguage(wished);
  } catch (error) {
    const other = LANGUAGES.find(each => each !== wished);
    if (!openedOffline() || !other) throw error;
    await loadLanguage(other);
  }
}

/** The language that an address of rules names, as one in a mail does: it is said once. */
function languageOfAddress() {
  const address = new URL(location.href);
  const named = parseAddress(address).page === "rules" ? address.searchParams.get("lang") : null;
  if (!named || !LANGUAGES.includes(named)) return null;
  address.searchParams.delete("lang");
  history.replaceState(null, "", address);
  return named;
}

/** A module that says what no other does. @template T @param {Promise<T>} loading */
async function withAllWords(loading) {
  const [module] = await Promise.all([loading, loadAllWords()]);
  return module;
}

/** Begins to load what draws a table, while it is being opened. @param {Event} event */
function loadTableAhead({ target }) {
  if (target instanceof Element && target.closest(TO_TABLE)) TABLE().catch(() => {}); // who opens it is told what went wrong
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
  showMailedLink(link);
}

/** @param {import("./base/routes.js").MailedLink} link */
function showMailedLink(link) {
  return later(MAILED_LINK, ({ mailedLinkPage }, here) => mailedLinkPage(here, link));
}

/** Shows a screen whose module is loaded now; it may return what stops it. @template T @param {() => Promise<T>} load @param {(module: T, here: HTMLElement) => unknown} draw */
async function later(load, draw) {
  const here = main;
  const module = await loadOrShowNothing(here, () => loadModule(load()));
  if (module) {
    const stop = await draw(module, here);
    if (typeof stop !== "function") return;
    if (here === main) leave = /** @type {() => void} */ (stop);
    else stop(); // it was left meanwhile
  } else if (here === main && !here.hasChildNodes()) offerAgain(here, () => later(load, draw));
}

/** Where a screen has not come, it is loaded again when that is wished, or when there is a connection. @param {HTMLElement} here @param {() => void} again */
function offerAgain(here, again) {
  const retry = () => {
    removeEventListener("online", retry);
    if (here === main) again();
  };
  addEventListener("online", retry);
  here.replaceChildren(drawFailed(retry));
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
