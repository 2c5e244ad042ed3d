// @ts-check
/** The service worker of this browser, with which the page opens without a connection. */

/** Whether the page was opened without a connection: this document came from the browser, not from the server. */
export function openedOffline() {
  return "offline" in document.documentElement.dataset;
}

/** Browsers have workers only over https and on one's own machine, and may forbid them; the page then works without one. */
export function registerWorker() {
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
}
