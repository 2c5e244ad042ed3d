// @ts-check
/**
 * Addresses of the page: paths, so that they can be sent, titled and found. A secret in one stands behind the `#`, where
 * it is not sent to the server.
 */

/**
 * @typedef {{page: "mailed-link", purpose: "verify" | "not-me" | "sign-in" | "reset" | "invited", key: string}} MailedLink  A link from a mail.
 * @typedef {{page: "lobby"} | {page: "not-found"} | {page: "settings", section: string} | {page: "new", slug: string, circle: string, series: boolean} | {page: "rules", slug: string, version: string | null, example: boolean}
 *   | {page: "table", id: string, invitation: string | null, at: number | null, panel: string} | {page: "secret-link", key: string} | {page: "sign-in"} | {page: "opened-link"}
 *   | {page: "finished", ruleset: string, tenure: string} | {page: "ratings", slug: string} | {page: "people"} | {page: "circle", id: string, key: string | null} | {page: "series", id: string, circle: string} | {page: "daily", day: string, friend: string}
 *   | {page: "puzzles", slug: string, puzzle: string, game: string, at: string}
 *   | {page: "player", handle: string, seat: {game: string, tenure: string} | null}
 *   | MailedLink} Route
 * @typedef {{pathname: string, search: string, hash: string}} Address  A `URL` or `location`.
 */

/** The screens whose addresses are one word. @type {Map<string, Route>} */
const PAGES = new Map([["", { page: "lobby" }], ["enter", { page: "sign-in" }], ["arrived", { page: "opened-link" }], ["people", { page: "people" }]]);

/** Stands for a handle, of which only a seat is known; it is too short for one. */
const OF_SEAT = "of";

/** The screen that an address names. @param {Address} address @returns {Route} */
export function parseAddress({ pathname, search, hash }) {
  if (hash.startsWith("#back=")) return { page: "secret-link", key: hash.slice(6) };
  const mailed = /^#(verify|not-me|sign-in|reset|invited)=(.+)$/.exec(hash);
  if (mailed) return { page: "mailed-link", purpose: /** @type {any} */ (mailed[1]), key: mailed[2] };
  const [first, second = "", ...more] = pathname.slice(1).split("/");
  const query = new URLSearchParams(search);
  const example = first === "rules" && more.length === 1 && more[0] === "example";
  if (first === "circles" && second && more.join() === "series") return ofCircle(second, query.get("ruleset"));
  if (more.length && !example) return { page: "not-found" };
  if (first === "games" && second) {
    const invitation = new URLSearchParams(hash.slice(1)).get("invitation");
    return { page: "table", id: second, invitation, at: Number(query.get("at")) || null, panel: query.get("panel") ?? "" };
  }
  if (first === "players" && second) return { page: "player", handle: second, seat: second === OF_SEAT ? { game: query.get("game") ?? "", tenure: query.get("tenure") ?? "" } : null };
  if (first === "me") return { page: "settings", section: second };
  if (first === "new" && second) return { page: "new", slug: second, circle: query.get("circle") ?? "", series: false };
  if (first === "rules" && second) return { page: "rules", slug: second, version: query.get("version"), example };
  if (first === "daily") return { page: "daily", day: second, friend: query.get("friend") ?? "" };
  if (first === "puzzles" && second) return { page: "puzzles", slug: second, puzzle: query.get("puzzle") ?? "", game: query.get("game") ?? "", at: query.get("at") ?? "" };
  if (first === "circles" && second) return { page: "circle", id: second, key: new URLSearchParams(hash.slice(1)).get("join") };
  if (first === "series") return { page: "series", id: second, circle: "" };
  if (first === "ratings") return { page: "ratings", slug: second };
  if (second) return { page: "not-found" };
  if (first === "finished") return { page: "finished", ruleset: query.get("ruleset") ?? "", tenure: query.get("with") ?? "" };
  return PAGES.get(first) ?? { page: "not-found" };
}

/** The series of a circle, or the form that sets one up there. @param {string} circle @param {string | null} slug of its game @returns {Route} */
function ofCircle(circle, slug) {
  return slug ? { page: "new", slug, circle, series: true } : { page: "series", id: "", circle };
}

/**
 * The link of a mailed invitation works without scripts too: its key is in the path, and leaves it here. Addresses in earlier
 * mails were behind the `#`, and so was the key of an invitation in their query.
 * @param {Address} address @returns {string | null} the present one; null for any other address
 */
export function replaceEarlierAddress({ pathname: path, hash }) {
  const invited = /^\/invited\/([^/]+)\/([^/]+)$/.exec(path);
  if (invited) return `${toTable(invited[1])}#invitation=${invited[2]}`;
  if (!hash.startsWith("#/")) return null;
  const { pathname, searchParams } = new URL(hash.slice(1), "http://page");
  const invitation = searchParams.get("invitation");
  searchParams.delete("invitation");
  const query = searchParams.toString();
  return pathname + (query && `?${query}`) + (invitation ? `#invitation=${invitation}` : "");
}

/** The address of a table. @param {string} id */
export function toTable(id) {
  return `/games/${id}`;
}

/** The address of a table as it was after an event. @param {string} id @param {number} number of the event */
export function toPosition(id, number) {
  return `${toTable(id)}?at=${number}`;
}

/**
 * The address of the user's finished games.
 * @param {string} ruleset its slug; "" for all @param {string} tenure of a person they were played with; "" for everybody
 */
export function toFinished(ruleset, tenure) {
  return `/finished?ruleset=${ruleset}&with=${tenure}`;
}

/** The address of the page about ratings; below it are the leaderboards, by the slugs of rulesets. */
export const RATINGS = "/ratings";

/** The address of the page of a player. @param {string} handle */
export function toPlayer(handle) {
  return `/players/${handle}`;
}

/** The same for somebody at a table. @param {string} game @param {string} tenure */
export function toPlayerOfSeat(game, tenure) {
  return `${toPlayer(OF_SEAT)}?game=${game}&tenure=${tenure}`;
}

/** The address of the daily deal; below it are the days. */
export const DAILY = "/daily";

/** The address of the puzzles of a game. @param {string} slug */
export function toPuzzles(slug) {
  return `/puzzles/${slug}`;
}

/** The address of one of them. @param {string} slug @param {string} id */
export function toPuzzle(slug, id) {
  return `${toPuzzles(slug)}?puzzle=${id}`;
}

/** The address of a decision in a finished game as a puzzle. @param {{id: string, ruleset: {slug: string}}} game @param {number} number of its event */
export function toDecision({ id, ruleset: { slug } }, number) {
  return `${toPuzzles(slug)}?game=${id}&at=${number}`;
}

/** The address of the page about the user's people. */
export const PEOPLE = "/people";

/** The address of a circle. @param {string} id */
export function toCircle(id) {
  return `/circles/${id}`;
}

/** The address of the list of series; below it are those that the user may see. */
export const SERIES = "/series";

/** The address of a series. @param {string} id */
export function toSeries(id) {
  return `${SERIES}/${id}`;
}

/** The address of the series of a circle. @param {string} circle its id */
export function toSeriesOf(circle) {
  return `${toCircle(circle)}${SERIES}`;
}

/** The address of the form that sets up a series in a circle. @param {string} slug @param {string} circle its id */
export function toNewSeriesIn(slug, circle) {
  return `${toSeriesOf(circle)}?ruleset=${slug}`;
}

/** The address of the form that opens a table in a circle. @param {string} slug @param {string} circle its id */
export function toNewTableIn(slug, circle) {
  return `/new/${slug}?circle=${circle}`;
}

/** The address of a public table, to send to a friend. @param {string} id */
export function tableUrl(id) {
  return `${location.origin}${toTable(id)}`;
}

/** What shows the screen of the present address. @type {() => void} */
let show = () => {};

/** Opens an address of the page. @param {string} address */
export function goTo(address) {
  history.pushState(null, "", address);
  show();
}

/**
 * Shows a screen whenever the address changes, and keeps links between screens within the page.
 * @param {() => void} screen draws the screen of the present address
 */
export function followAddress(screen) {
  show = screen;
  addEventListener("popstate", screen);
  addEventListener("click", event => {
    const link = /** @type {Element} */ (event.target).closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || !opensHere(event, link)) return;
    event.preventDefault();
    goTo(link.href);
  });
}

/** Whether a click on a link shows a screen of the page in this tab. @param {MouseEvent} event @param {HTMLAnchorElement} link */
function opensHere(event, link) {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return false;
  return parseAddress(link).page !== "not-found";
}
