// @ts-check
/** Webhooks: addresses of the user's programs to which changes are sent. */

import { get, post, request } from "../../base/api.js";
import { copyField } from "../../base/controls/copy_field.js";
import { drawForm } from "../../base/controls/form.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";

/**
 * @typedef {{id: string, url: string, label: string, shape: string, active: boolean, off_at: string | null, off_why: string | null, failing_since: string | null}} Webhook
 * @typedef {{sequence: number, type: string, at: string, state: string, attempts: {status: number | null, error: string | null}[]}} Delivery
 */

/** The shapes of messages that can be chosen; "": that of the address. */
const SHAPES = ["", "tegami", "discord", "slack", "mattermost"];
/** How often it is looked whether a test has arrived, and after how many ms each time. */
const LOOKS = 15, LOOK_AFTER = 1000;
/** How many of the newest deliveries are listed. */
const LISTED = 20;

/** @param {() => void} again redraws the page */
export async function webhooksSection(again) {
  /** @type {Webhook[]} */
  const webhooks = (await attempt(() => get("/api/me/webhooks")))?.webhooks ?? [];
  return h("section", { className: "sheet", id: "webhooks" },
    h("h2", {}, t("me.webhooks")),
    h("p", { className: "soft" }, t("me.webhooks.why")),
    h("ul", { className: "item-list" }, webhooks.map(webhook => drawWebhook(webhook, again))),
    makeForm());
}

/** @param {Webhook} webhook @param {() => void} again */
function drawWebhook(webhook, again) {
  const { id, label, url, shape } = webhook;
  const path = `/api/me/webhooks/${id}`;
  const then = (/** @type {() => Promise<any>} */ work) => attempt(async () => { await work(); again(); });
  const button = (/** @type {string} */ what, /** @type {() => any} */ onclick) =>
    h("button", { type: "button", "aria-label": t(`me.webhook.${what}.which`, { label }), onclick }, t(`me.webhook.${what}`));
  return h("li", { key: id },
    h("span", {}, label,
      h("small", { className: "soft" }, `${url} · ${nameOf(shape)}`),
      h("small", { className: webhook.active && !webhook.failing_since ? "soft" : "wrong" }, stateOf(webhook))),
    h("span", { className: "buttons" },
      webhook.active ? button("test", () => test(path)) : button("on", () => then(() => request("PATCH", path, { body: { active: true } }))),
      button("remove", () => then(() => request("DELETE", path)))),
    drawLog(label, path));
}

/** What was sent, once it is asked for; each can be sent again. @param {string} label @param {string} path */
function drawLog(label, path) {
  const list = h("ul", { className: "item-list", "aria-live": "polite" });
  const load = () => attempt(async () => {
    /** @type {{deliveries: Delivery[]}} */
    const { deliveries } = await get(`${path}/deliveries?limit=${LISTED}`);
    const again = (/** @type {number} */ number) => attempt(async () => {
      await post(`${path}/deliveries/${number}/redelivery`);
      showToast(t("me.webhook.again.done"));
      await load();
    });
    list.replaceChildren(...deliveries.length ? deliveries.map(each => drawDelivery(each, again)) : [h("li", { className: "soft" }, t("me.webhook.log.empty"))]);
  });
  const log = h("details", { className: "more webhook-log" }, h("summary", { "aria-label": t("me.webhook.log.which", { label }) }, t("me.webhook.log")), list);
  log.addEventListener("toggle", () => { if (/** @type {HTMLDetailsElement} */ (log).open) load(); });
  return log;
}

/** @param {Delivery} delivery @param {(number: number) => any} again */
function drawDelivery(delivery, again) {
  const { sequence: number, type, at, state, attempts } = delivery;
  const failed = state !== "delivered" && attempts.length > 0;
  return h("li", {},
    h("span", {}, t("me.webhook.delivery", { number, time: formatTime(at) }), " ", h("code", {}, type),
      h("small", { className: failed ? "wrong" : "soft" }, failed
        ? t(`me.webhook.delivery.${state === "pending" ? "failing" : "expired"}`, { why: whyOf(delivery) })
        : t(`me.webhook.delivery.${state === "delivered" ? state : "pending"}`))),
    h("button", { type: "button", "aria-label": t("me.webhook.again.which", { number }), onclick: () => again(number) }, t("me.webhook.again")));
}

/** Whether it works, in words. @param {Webhook} webhook */
function stateOf({ active, off_at: off, off_why: why, failing_since: failing }) {
  if (!active) return t(why === "failing" || why === "gone" ? "me.webhook.state.failed" : "me.webhook.state.off", { time: formatTime(off ?? "") });
  return failing ? t("me.webhook.state.failing", { time: formatTime(failing) }) : t("me.webhook.state.on");
}

/** Sends a test, and says what has become of it. @param {string} path */
function test(path) {
  return attempt(async () => {
    const { delivery } = await post(`${path}/ping`);
    showToast(t("me.webhook.tested"));
    const found = await tried(`${path}/deliveries?before=${delivery.sequence + 1}&limit=1`);
    if (found) showToast(found.state === "delivered" ? t("me.webhook.arrived") : t("me.webhook.lost", { why: whyOf(found) }));
  });
}

/** The first delivery there as soon as it has been tried; null if that takes too long. @param {string} path @returns {Promise<Delivery | null>} */
async function tried(path) {
  for (let look = 0; look < LOOKS; look++) {
    await new Promise(done => setTimeout(done, LOOK_AFTER));
    const [found] = (await get(path)).deliveries;
    if (!found || found.attempts.length) return found ?? null;
  }
  return null;
}

/** Why the last attempt failed. @param {Delivery} delivery */
function whyOf({ attempts }) {
  const { status, error } = attempts[attempts.length - 1];
  return status ? t("me.webhook.why.status", { status }) : t(`me.webhook.why.${error ?? "connection"}`);
}

/** The name of a shape. @param {string} shape */
function nameOf(shape) {
  return t(`me.webhook.shape.${shape || "address"}`);
}

function makeForm() {
  const made = h("div", {});
  return drawForm("webhook", {
    fields: [
      { name: "label", label: t("me.token.label"), required: true, maxlength: 60 },
      { name: "url", label: t("me.webhook.url"), inputmode: "url", autocomplete: "off", required: true, maxlength: 500, placeholder: "https://…" }],
    buttons: [["", t("me.webhook.make")]],
    async send({ label, url, shape = null }) {
      const { webhook } = await post("/api/me/webhooks", { label: label.trim(), url: url.trim(), shape });
      made.replaceChildren(h("p", {}, t("me.webhook.once")), copyField("webhook-secret", webhook.label, webhook.secret));
    },
  },
    h("label", { for: "webhook-shape" }, t("me.webhook.shape")),
    h("select", { id: "webhook-shape", name: "shape" }, SHAPES.map(shape => h("option", { value: shape }, nameOf(shape)))),
    made);
}
