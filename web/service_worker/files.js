// @ts-check
/**
 * The files of one version of the page, which are kept together and fit each other. The server names them in front of this
 * script, so that another version is another worker.
 *
 * @typedef {{version: string, shell: string, headers: Record<string, string>, files: string[], again: string[], more: string[]}} Version  The document that is shown without a connection and its headers, the addresses of what it needs, of what it needs too where an earlier version was kept, and of what it may need.
 */

/** The worker as its own types describe it. @type {any} */
const worker = self;
/** @type {Version} */
const VERSION = worker.VERSION;
const PREFIX = "files ";
/** How many versions are kept: pages of the last one may still be open. */
const KEPT_VERSIONS = 2;

/** What is named by its content never changes. */
const NAMED_BY_CONTENT = /^\/(\w+)\.[0-9a-f]{12}\.(\w+)$/;

/** Keeps the files before this worker takes over, and takes over at once: every document names its files by their content. */
export function keepFiles() {
  worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
  worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
  worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(keepUsed(event.data)));
}

/** Whether a file is kept once it was used. @param {URL} address */
export function isKeptOnceUsed(address) {
  return NAMED_BY_CONTENT.test(address.pathname);
}

/**
 * What the page needs in any case, and those of the other files that the version before has kept: its language, the table.
 * If one of them cannot be had, this worker is not installed: the last one stays, with all of its files.
 */
async function install() {
  const used = new Set((await keptPaths()).map(nameOf));
  const cache = await caches.open(PREFIX + VERSION.version);
  const again = used.size > 0 ? VERSION.again : [];
  await cache.addAll([...new Set([...VERSION.files, ...again, ...VERSION.more.filter(each => used.has(nameOf(each)))])]);
  await worker.skipWaiting();
}

/** What is the same in the address of a file in every version. @param {string} path */
function nameOf(path) {
  return path.replace(NAMED_BY_CONTENT, "$1.$2");
}

/** All that is kept, of any version. @returns {Promise<string[]>} */
async function keptPaths() {
  const names = (await caches.keys()).filter(name => name.startsWith(PREFIX));
  const requests = await Promise.all(names.map(async name => (await caches.open(name)).keys()));
  return requests.flat().map(({ url }) => new URL(url).pathname);
}

/** Keeps what a page has loaded before there was a worker, or before all was cleared: the browser has it still. @param {string[]} paths */
async function keepUsed(paths) {
  await Promise.all([...VERSION.files, ...paths].filter(path => NAMED_BY_CONTENT.test(path)).map(path => usedFile(new Request(path))));
}

async function activate() {
  const versions = (await caches.keys()).filter(name => name.startsWith(PREFIX) && name !== PREFIX + VERSION.version);
  const earlier = versions.slice(0, Math.max(0, versions.length - KEPT_VERSIONS + 1));
  await Promise.all(earlier.map(name => caches.delete(name)));
  await worker.registration.navigationPreload?.enable(); // the document is asked for while the worker starts
  await worker.clients.claim();
}

/** The document that is shown without a connection. */
export function shell() {
  return new Response(VERSION.shell, { headers: VERSION.headers });
}

/** A file that is named by its content, which is kept from now on. @param {Request} request @returns {Promise<Response>} */
export async function usedFile(request) {
  const kept = await caches.match(request, { ignoreVary: true, ignoreSearch: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(PREFIX + VERSION.version)).put(new URL(request.url).pathname, response.clone());
  return response;
}
