// @ts-check
/** Addresses of the page: all behind the `#`, so that no secret in one ever reaches a server by itself. */

/**
 * @typedef {{page: "lobby"} | {page: "me"} | {page: "new", slug: string} | {page: "rules", slug: string}
 *   | {page: "table", id: string, invitation: string | null} | {page: "back", key: string} | {page: "enter"} | {page: "arrived"}
 *   | {page: "finished", ruleset: string, tenure: string}
 *   | import("./arrival.js").Arrival} Route
 */

/** What an address asks for; the lobby if it asks for nothing known. @param {string} hash @returns {Route} */
export function route(hash) {
  if (hash.startsWith("#back=")) return { page: "back", key: hash.slice(6) };
  const mailed = /^#(verify|sign-in|reset|invited)=(.+)$/.exec(hash);
  if (mailed) return { page: "arrival", purpose: /** @type {any} */ (mailed[1]), key: mailed[2] };
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [first, second = ""] = path.split("/");
  if (first === "games" && second) {
    return { page: "table", id: second, invitation: new URLSearchParams(query).get("invitation") };
  }
  if (first === "finished") {
    const wish = new URLSearchParams(query);
    return { page: "finished", ruleset: wish.get("ruleset") ?? "", tenure: wish.get("with") ?? "" };
  }
  if (first === "new" && second) return { page: "new", slug: second };
  if (first === "rules" && second) return { page: "rules", slug: second };
  return first === "me" || first === "enter" || first === "arrived" ? { page: first } : { page: "lobby" };
}

/** The address of a table. @param {string} id */
export function toTable(id) {
  return `#/games/${id}`;
}

/** Where a friend finds a public table. @param {string} id */
export function linkTo(id) {
  return `${location.origin}/${toTable(id)}`;
}

/** Goes there. @param {string} hash */
export function go(hash) {
  location.hash = hash;
}
