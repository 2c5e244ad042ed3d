// @ts-check
/** The service worker of this browser, with which the page opens without a connection. */

/** Whether the page was opened without a connection: this document came from the browser, not from the server. */
export function openedOffline() {
  return "offline" in document.documentElement.dataset;
}

const WORKER = "/service-worker.js";

/** Browsers have workers only over https and on one's own machine, and may forbid them; the page then works without one. */
export function registerWorker() {
  navigator.serviceWorker?.register(WORKER).catch(() => {});
}

/** The registration, once its worker runs. @returns {Promise<ServiceWorkerRegistration>} Throws a DOMException or a TypeError if there can be none. */
export async function runningWorker() {
  await navigator.serviceWorker.register(WORKER);
  return navigator.serviceWorker.ready;
}
