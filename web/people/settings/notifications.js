// @ts-check
/** Notifications: whether this browser tells the user of a turn, in which others that happens, and a sound at the table. */

import { get, request } from "../../base/api.js";
import { isSoundOn, setSound } from "../../base/controls/sound.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { stateHere, tryToSubscribe, unsubscribeHere } from "../sign_in/push_here.js";

/** @typedef {import("../sign_in/push_here.js").Told} Told */

/** The operator may let the server push nothing; a sound is made by the page itself. @param {() => void} again redraws the page @returns {Promise<HTMLElement | null>} */
export async function notificationsSection(again) {
  /** @type {Told | undefined} */
  const told = await attempt(() => get("/api/me/push"));
  return h("section", { className: "sheet", id: "notifications" },
    h("h2", {}, t("push.title")),
    told?.key ? await drawPush(told, again) : null,
    drawSound());
}

/** @param {Told} told @param {() => void} again */
async function drawPush(told, again) {
  const state = await stateHere(told);
  return [
    h("p", { className: "soft" }, t("push.why")),
    h("p", { className: "soft small" }, t("push.unwanted")),
    state === "on" || state === "off" ? drawSwitch(told, state === "on", again) : h("p", { id: "push-state", className: "wrong" }, t(`push.${state}`)),
    told.browsers.length > 0 && [h("h3", {}, t("push.list")), h("ul", { className: "item-list" }, told.browsers.map(each => drawBrowser(each, again)))]];
}

function drawSound() {
  const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id: "sound", role: "switch", checked: isSoundOn(), onchange: () => setSound(box.checked) }));
  return h("label", { className: "choice" }, box, t("sound.on"));
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
