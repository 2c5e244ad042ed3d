// @ts-check
/**
 * What the worker does with requests: documents come from the server as long as it answers, files that are named by their
 * content from this browser. All else, the API above all, is none of its business.
 */

import { parseAddress } from "../base/routes.js";
import { isKeptOnceUsed, shell, usedFile } from "./files.js";

/** Milliseconds after which a document is no longer waited for. */
const PATIENCE = 4000;
/** What a proxy answers in place of a server that it does not reach. */
const UNREACHABLE = [502, 503, 504];

/** Answers requests of this origin's pages. */
export function answerRequests() {
  addEventListener("fetch", (/** @type {any} */ event) => {
    const { method, mode, url } = event.request;
    const address = new URL(url);
    if (method !== "GET" || address.origin !== location.origin) return;
    if (mode === "navigate") event.respondWith(isScreen(address) ? screen(event) : fromServer(event));
    else if (isKeptOnceUsed(address)) event.respondWith(usedFile(event.request));
  });
}

/** Whether the script of the page draws what stands at an address; the pages of rules are documents of their own. @param {URL} address */
function isScreen(address) {
  return !["not-found", "rules"].includes(parseAddress(address).page);
}

/** The document as the server has it now, or the one that is kept if there is no connection. @param {any} event @returns {Promise<Response>} */
async function screen(event) {
  const answer = fromServer(event);
  try {
    const response = await Promise.race([answer, patience()]);
    if (!UNREACHABLE.includes(response.status)) return response;
  } catch {
    // no connection, or none that is of use
  }
  return shell();
}

/** @param {any} event @returns {Promise<Response>} */
async function fromServer(event) {
  return (await event.preloadResponse) ?? fetch(event.request);
}

/** @returns {Promise<never>} */
function patience() {
  return new Promise((_, reject) => {
    setTimeout(reject, PATIENCE);
  });
}
