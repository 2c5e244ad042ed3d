// @ts-check
/** Addresses of the page. They are all behind the `#`, so that a secret in one is not sent to the server. */

/**
 * @typedef {{page: "mailed-link", purpose: "verify" | "not-me" | "sign-in" | "reset" | "invited", key: string}} MailedLink  A link from a mail.
 * @typedef {{page: "lobby"} | {page: "not-found"} | {page: "settings", section: string} | {page: "new", slug: string} | {page: "rules", slug: string, version: string | null}
 *   | {page: "table", id: string, invitation: string | null, at: number | null, panel: string} | {page: "secret-link", key: string} | {page: "sign-in"} | {page: "opened-link"}
 *   | {page: "finished", ruleset: string, tenure: string}
 *   | MailedLink} Route
 */

/** The screens whose addresses are one word. @type {Map<string, Route>} */
const PAGES = new Map([["", { page: "lobby" }], ["enter", { page: "sign-in" }], ["arrived", { page: "opened-link" }]]);

/** The screen that an address names. @param {string} hash @returns {Route} */
export function parseAddress(hash) {
  if (hash.startsWith("#back=")) return { page: "secret-link", key: hash.slice(6) };
  const mailed = /^#(verify|not-me|sign-in|reset|invited)=(.+)$/.exec(hash);
  if (mailed) return { page: "mailed-link", purpose: /** @type {any} */ (mailed[1]), key: mailed[2] };
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [first, second = ""] = path.split("/");
  if (first === "games" && second) {
    const params = new URLSearchParams(query);
    return { page: "table", id: second, invitation: params.get("invitation"), at: Number(params.get("at")) || null, panel: params.get("panel") ?? "" };
  }
  if (first === "finished") {
    const params = new URLSearchParams(query);
    return { page: "finished", ruleset: params.get("ruleset") ?? "", tenure: params.get("with") ?? "" };
  }
  if (first === "me") return { page: "settings", section: second };
  if (first === "new" && second) return { page: "new", slug: second };
  if (first === "rules" && second) return { page: "rules", slug: second, version: new URLSearchParams(query).get("version") };
  return PAGES.get(first) ?? { page: "not-found" };
}

/** The address of a table. @param {string} id */
export function toTable(id) {
  return `#/games/${id}`;
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
  return `#/finished?ruleset=${ruleset}&with=${tenure}`;
}

/** The address of a public table, to send to a friend. @param {string} id */
export function tableUrl(id) {
  return `${location.origin}/${toTable(id)}`;
}

/** Opens an address of the page. @param {string} hash */
export function goTo(hash) {
  location.hash = hash;
}
