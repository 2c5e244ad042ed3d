// @ts-check
/** Notifications: whether this browser tells the user of a turn, and in which others that happens. */

import { get, request } from "../base/api.js";
import { h } from "../base/dom.js";
import { formatTime } from "../base/time_format.js";
import { t } from "../base/words.js";
import { attempt, showToast } from "../controls/toasts.js";
import { stateHere, tryToSubscribe, unsubscribeHere } from "../sign_in/push_here.js";

/** @typedef {import("../sign_in/push_here.js").Told} Told */

/** Nothing if the operator lets the server push nothing. @param {() => void} again redraws the page @returns {Promise<HTMLElement | null>} */
export async function notificationsSection(again) {
  /** @type {Told | undefined} */
  const told = await attempt(() => get("/api/me/push"));
  if (!told?.key) return null;
  const state = await stateHere(told);
  return h("section", { className: "sheet", id: "notifications" },
    h("h2", {}, t("push.title")),
    h("p", { className: "soft" }, t("push.why")),
    h("p", { className: "soft small" }, t("push.unwanted")),
    state === "on" || state === "off" ? drawSwitch(told, state === "on", again) : h("p", { id: "push-state", className: "wrong" }, t(`push.${state}`)),
    told.browsers.length > 0 && [h("h3", {}, t("push.list")), h("ul", { className: "item-list" }, told.browsers.map(each => drawBrowser(each, again)))]);
}

/** @param {Told} told @param {boolean} on @param {() => void} again */
function drawSwitch(told, on, again) {
  const change = async () => {
    box.disabled = true;
    await attempt(async () => {
      if (on) await unsubscribeHere(told);
      const words = on ? "push.ended" : await tryToSubscribe(told.key ?? "");
      again();
      showToast(t(words));
    });
    box.disabled = false;
  };
  const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id: "push-here", role: "switch", checked: on, onchange: change }));
  return h("label", { className: "choice" }, box, t("push.on"));
}

/** @param {import("../sign_in/push_here.js").ToldBrowser} browser @param {() => void} again */
function drawBrowser({ id, browser, created_at: since, delivered_at: delivered, failing_since: failing, current }, again) {
  const name = browser ?? t("push.unknown");
  const end = () => attempt(async () => {
    await request("DELETE", `/api/me/push/${id}`);
    again();
  });
  return h("li", { key: id },
    h("span", {}, name, current && h("span", { className: "tag" }, t("sign-ins.here")),
      h("small", { className: "soft" }, t("push.since", { time: formatTime(since) })),
      delivered && h("small", { className: "soft" }, t("push.delivered", { time: formatTime(delivered) })),
      failing && h("small", { className: "wrong" }, t("push.failing", { time: formatTime(failing) }))),
    h("button", { type: "button", "aria-label": t("push.end.which", { browser: name }), onclick: end }, t("push.end")));
}
