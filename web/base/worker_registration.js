// @ts-check
/** The service worker of this browser, with which the page opens without a connection. */

/** Whether the page was opened without a connection: this document came from the browser, not from the server. */
export function openedOffline() {
  return "offline" in document.documentElement.dataset;
}

const WORKER = "/service-worker.js";
/** What the worker keeps never changes; all else that is asked for must not wake it. */
const NAMED_BY_CONTENT = /\.[0-9a-f]{12}\./;
/** @type {PerformanceObserver | undefined} */
let telling;
/** Milliseconds after which a browser that does not tell counts as idle. */
const IDLE_AFTER = 1000;

/**
 * Lets the worker be installed once there is nothing else to do: the first screen comes before it. Browsers have workers only
 * over https and on one's own machine, and may forbid them; the page then works without one.
 */
export function registerWorker() {
  if (!navigator.serviceWorker) return;
  const whenIdle = self.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, IDLE_AFTER));
  navigator.serviceWorker.addEventListener("controllerchange", () => tellUsed(navigator.serviceWorker.controller));
  whenIdle(() => navigator.serviceWorker.register(WORKER).catch(() => {}));
}

/** After all that is kept was cleared: the worker may have survived that, without its files. */
export function restoreWorker() {
  if (navigator.serviceWorker) runningWorker().then(({ active }) => tellUsed(active)).catch(() => {});
}

/** Tells a worker what this page has loaded without it, and what was on its way: from then on it sees that itself. @param {ServiceWorker | null} worker */
function tellUsed(worker) {
  telling?.disconnect();
  telling = new PerformanceObserver(list => {
    const loaded = list.getEntries().map(({ name }) => new URL(name));
    const paths = loaded.filter(({ origin }) => origin === location.origin).map(({ pathname }) => pathname).filter(path => NAMED_BY_CONTENT.test(path));
    if (paths.length) worker?.postMessage(paths);
  });
  telling.observe({ type: "resource", buffered: true });
}

/** The registration, once its worker runs. @returns {Promise<ServiceWorkerRegistration>} Throws a DOMException or a TypeError if there can be none. */
export async function runningWorker() {
  await navigator.serviceWorker.register(WORKER);
  return navigator.serviceWorker.ready;
}
