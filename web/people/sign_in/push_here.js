// @ts-check
/**
 * Web Push in this browser: whether it can be told, and the subscription by which it is.
 *
 * @typedef {"on" | "off" | "denied" | "install" | "unsupported"} State
 *   `install`: only once the page is on the home screen, as on an iPhone.
 * @typedef {{id: string, browser: string | null, created_at: string, delivered_at: string | null, failing_since: string | null, current: boolean}} ToldBrowser
 * @typedef {{key: string | null, browsers: ToldBrowser[]}} Told  As the service answers; without a key it pushes nothing.
 */

import { post, request } from "../../base/api.js";
import { runningWorker } from "../../base/worker_registration.js";

/** What this browser can be told just now. @param {Told} told @returns {Promise<State>} */
export async function stateHere({ browsers }) {
  if (!isSupported()) return "standalone" in navigator && !navigator.standalone ? "install" : "unsupported";
  if (Notification.permission === "denied") return "denied";
  const told = browsers.some(({ current }) => current);
  return told && Notification.permission === "granted" && await subscription() ? "on" : "off";
}

/** Whether the user was never asked, and can be. */
export function canBeAsked() {
  return isSupported() && Boolean(navigator.serviceWorker.controller) && Notification.permission === "default";
}

function isSupported() {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/**
 * Asks the user, and subscribes. A subscription that was made with another key of the server is worthless, and replaced.
 * @param {string} key of the server @returns {Promise<boolean>} whether the user has allowed it
 */
async function subscribeHere(key) {
  if (await Notification.requestPermission() !== "granted") return false;
  const { pushManager } = await runningWorker();
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await post("/api/me/push", { endpoint, keys });
  return true;
}

/** What became of it, as the key of a message: the browser's push service may be out of reach. @param {string} key @returns {Promise<string>} */
export async function tryToSubscribe(key) {
  try {
    return await subscribeHere(key) ? "push.done" : "push.dismissed";
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    return "push.failed";
  }
}

/** Ends what makes this browser be told. @param {Told} told */
export async function unsubscribeHere({ browsers }) {
  forgetSubscription();
  for (const { id, current } of browsers) if (current) await request("DELETE", `/api/me/push/${id}`);
}

/** Whoever uses this browser next is not told of somebody else's games. The service finds out by itself if it does not know yet. */
export function forgetSubscription() {
  subscription().then(found => found?.unsubscribe()).catch(() => {});
}

/** @returns {Promise<PushSubscription | null>} */
async function subscription() {
  const registration = await navigator.serviceWorker?.getRegistration();
  return await registration?.pushManager?.getSubscription() ?? null;
}
