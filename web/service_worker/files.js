// @ts-check
/**
 * The files of one version of the page, which are kept together and fit each other. The server names them in front of this
 * script, so that another version is another worker.
 *
 * @typedef {{version: string, shell: string, files: string[]}} Version  The address of the document that is shown without a connection, and of what it needs.
 */

/** The worker as its own types describe it. @type {any} */
const worker = self;
/** @type {Version} */
const VERSION = worker.VERSION;
const PREFIX = "files ";
/** How many versions are kept: pages of the last one may still be open. */
const KEPT_VERSIONS = 2;

/** Keeps the files before this worker takes over, and takes over at once: every document names its files by their content. */
export function keepFiles() {
  worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
  worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
}

/** If one file cannot be had, this worker is not installed: the last one stays, with all of its files. */
async function install() {
  const cache = await caches.open(PREFIX + VERSION.version);
  await cache.addAll([VERSION.shell, ...VERSION.files]);
  await worker.skipWaiting();
}

async function activate() {
  const versions = (await caches.keys()).filter(name => name.startsWith(PREFIX) && name !== PREFIX + VERSION.version);
  const earlier = versions.slice(0, Math.max(0, versions.length - KEPT_VERSIONS + 1));
  await Promise.all(earlier.map(name => caches.delete(name)));
  await worker.registration.navigationPreload?.enable(); // the document is asked for while the worker starts
  await worker.clients.claim();
}

/** The document that is shown without a connection. @returns {Promise<Response | undefined>} */
export function shell() {
  return caches.match(VERSION.shell);
}

/** A file that is kept, of any version. @param {Request} request @returns {Promise<Response | undefined>} */
export function keptFile(request) {
  return caches.match(request, { ignoreVary: true });
}
