// @ts-check
/** What the worker does when the server tells this browser something: a notification, whose touch opens the table. */

/** The worker as its own types describe it. @type {any} */
const worker = self;
const PATH = "/api/me/push";

/** Shows what comes, and follows when it is touched. */
export function showPushes() {
  worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(show(event.data.json())));
  worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
    event.notification.close();
    event.waitUntil(open(new URL(event.notification.data.url, location.origin)));
  });
  worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(renew(event)));
}

/** Of one game only the newest is shown, and said anew. @param {{words: string, url: string, tag: string, language: string}} told */
function show({ words, url, tag, language }) {
  const pictures = { icon: "/icons/tegami-192.png", badge: "/icons/maskable-192.png" };
  return worker.registration.showNotification(words, { ...pictures, tag, renotify: true, lang: language, data: { url } });
}

/** The window that shows it already, or another one: what somebody does in theirs is not interrupted. @param {URL} url */
async function open(url) {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((/** @type {any} */ each) => new URL(each.url).pathname === url.pathname);
  return there ? there.focus() : worker.clients.openWindow(url.href);
}

/** The push service of this browser wants another subscription. @param {any} event */
async function renew({ oldSubscription, newSubscription }) {
  if (!oldSubscription) return;
  const fresh = newSubscription ?? await worker.registration.pushManager.subscribe(oldSubscription.options);
  const { endpoint, keys } = fresh.toJSON();
  await fetch(PATH, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ endpoint, keys }) });
}
