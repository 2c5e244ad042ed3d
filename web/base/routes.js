// @ts-check
/**
 * Addresses of the page: paths, so that they can be sent, titled and found. A secret in one stands behind the `#`, where
 * it is not sent to the server.
 */

/**
 * @typedef {{page: "mailed-link", purpose: "verify" | "not-me" | "sign-in" | "reset" | "invited", key: string}} MailedLink  A link from a mail.
 * @typedef {{page: "lobby"} | {page: "not-found"} | {page: "settings", section: string} | {page: "new", slug: string} | {page: "rules", slug: string, version: string | null, example: boolean}
 *   | {page: "table", id: string, invitation: string | null, at: number | null, panel: string} | {page: "secret-link", key: string} | {page: "sign-in"} | {page: "opened-link"}
 *   | {page: "finished", ruleset: string, tenure: string}
 *   | MailedLink} Route
 * @typedef {{pathname: string, search: string, hash: string}} Address  A `URL` or `location`.
 */

/** The screens whose addresses are one word. @type {Map<string, Route>} */
const PAGES = new Map([["", { page: "lobby" }], ["enter", { page: "sign-in" }], ["arrived", { page: "opened-link" }]]);

/** The screen that an address names. @param {Address} address @returns {Route} */
export function parseAddress({ pathname, search, hash }) {
  if (hash.startsWith("#back=")) return { page: "secret-link", key: hash.slice(6) };
  const mailed = /^#(verify|not-me|sign-in|reset|invited)=(.+)$/.exec(hash);
  if (mailed) return { page: "mailed-link", purpose: /** @type {any} */ (mailed[1]), key: mailed[2] };
  const [first, second = "", ...more] = pathname.slice(1).split("/");
  const query = new URLSearchParams(search);
  const example = first === "rules" && more.length === 1 && more[0] === "example";
  if (more.length && !example) return { page: "not-found" };
  if (first === "games" && second) {
    const invitation = new URLSearchParams(hash.slice(1)).get("invitation");
    return { page: "table", id: second, invitation, at: Number(query.get("at")) || null, panel: query.get("panel") ?? "" };
  }
  if (first === "me") return { page: "settings", section: second };
  if (first === "new" && second) return { page: "new", slug: second };
  if (first === "rules" && second) return { page: "rules", slug: second, version: query.get("version"), example };
  if (second) return { page: "not-found" };
  if (first === "finished") return { page: "finished", ruleset: query.get("ruleset") ?? "", tenure: query.get("with") ?? "" };
  return PAGES.get(first) ?? { page: "not-found" };
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
