// @ts-check
/**
 * Which mails the user gets and when, and their time zone.
 *
 * @typedef {{language: string, time_zone: string, unwanted: string[], reminders: number[], quiet: string | null, digest: string | null, confirm_replies: string, ask_take_backs: boolean}} Settings
 */

import { get, request } from "../../base/api.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { formatDuration } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { player } from "../sign_in/session.js";

const KINDS = ["turn", "reminder", "proposal", "over", "told", "taken-over", "before-start", "offer", "nudge", "standings"];
/** Minutes before a due time. */
const LEADS = [2880, 1440, 180, 60, 15];
/** The most reminders that the service accepts. */
const MOST_REMINDERS = 5;
/** When a move that was sent by mail is confirmed. */
const CONFIRMING = ["default", "always", "never"];

/** Sets the time zone of this device unless the user has chosen one. */
export async function adoptTimeZone() {
  await attempt(async () => {
    const { settings } = await get("/api/me/settings");
    if (settings.time_zone === "UTC") await request("PATCH", "/api/me/settings", { body: { time_zone: deviceTimeZone() } });
  });
}

function deviceTimeZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** @returns {Promise<HTMLElement | null>} */
export async function mailSettingsSection() {
  /** @type {Settings | undefined} */
  const settings = (await attempt(() => get("/api/me/settings")))?.settings;
  if (!settings) return null;
  return h("section", { className: "sheet", id: "mails" },
    h("h2", {}, t("mail-settings.title")),
    drawTimeZone(settings),
    player()?.handle === null ? [h("p", { className: "soft" }, t("mail-settings.guest")), drawQuietHours(settings)] : [drawKinds(settings), drawReminders(settings), drawDigest(settings), drawQuietHours(settings), drawReplies(settings)],
    drawTakeBacks(settings));
}

/** @param {Settings} settings */
function drawTimeZone(settings) {
  const device = deviceTimeZone();
  const zones = [...new Set(["UTC", device, settings.time_zone, ...Intl.supportedValuesOf("timeZone")])].sort();
  const field = h("select", { id: "time-zone", onchange: () => change({ time_zone: field.value }) },
    zones.map(each => h("option", { value: each, selected: each === settings.time_zone }, each.replaceAll("_", " "))));
  const take = () => {
    field.value = device;
    change({ time_zone: device });
  };
  return h("div", { className: "field" },
    h("label", { for: "time-zone" }, t("mail-settings.zone")), field,
    device !== settings.time_zone && h("button", { type: "button", onclick: take }, t("mail-settings.zone.here", { zone: device.replaceAll("_", " ") })));
}

/** @param {Settings} settings */
function drawKinds({ unwanted }) {
  return drawCheckboxes("kind", t("mail-settings.kinds"), KINDS.map(kind => ({ value: kind, title: t(`mail-settings.kind.${kind}`), on: !unwanted.includes(kind) })),
    wanted => change({ unwanted: [...unwanted.filter(kind => !KINDS.includes(kind)), ...KINDS.filter(kind => !wanted.includes(kind))] }));
}

/** @param {Settings} settings */
function drawReminders({ reminders: chosen }) {
  const leads = [...new Set([...LEADS, ...chosen])].sort((one, other) => other - one);
  return drawCheckboxes("lead", t("mail-settings.reminders"), leads.map(lead => ({ value: String(lead), title: t("mail-settings.reminder", { time: formatDuration(lead * 60) }), on: chosen.includes(lead) })),
    wanted => change({ reminders: wanted.slice(0, MOST_REMINDERS).map(Number) }));
}

/** @param {Settings} settings */
function drawDigest({ digest }) {
  const at = /** @type {HTMLInputElement} */ (h("input", { type: "time", id: "digest-at", value: digest ?? "", onchange: () => at.value && change({ digest: at.value }) }));
  const none = () => {
    at.value = "";
    change({ digest: null });
  };
  return h("fieldset", {}, h("legend", {}, t("mail-settings.digest")),
    h("p", { className: "soft small" }, t("mail-settings.digest.hint")),
    h("label", { className: "field" }, t("mail-settings.digest.at"), at),
    h("button", { type: "button", onclick: none }, t("mail-settings.digest.none")));
}

/** @param {Settings} settings */
function drawReplies({ confirm_replies: chosen }) {
  const field = h("select", { id: "confirm-replies", onchange: () => change({ confirm_replies: field.value }) },
    CONFIRMING.map(each => h("option", { value: each, selected: each === chosen }, t(`mail-settings.replies.${each}`))));
  return h("div", { className: "field" }, h("label", { for: "confirm-replies" }, t("mail-settings.replies")), field,
    h("p", { className: "soft small" }, t("mail-settings.replies.hint")));
}

/** @param {Settings} settings */
function drawTakeBacks({ ask_take_backs: asked }) {
  const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id: "take-backs", checked: !asked, onchange: () => change({ ask_take_backs: !box.checked }) }));
  return h("label", { className: "choice" }, box, h("span", {}, t("mail-settings.take-backs")));
}

/** Saved as soon as both times are there. @param {Settings} settings */
function drawQuietHours({ quiet }) {
  const [from, until] = (quiet ?? "-").split("-");
  const time = (/** @type {string} */ name, /** @type {string} */ value) => h("input", { type: "time", id: `quiet-${name}`, value, onchange: save });
  const save = () => begin.value && end.value && change({ quiet: `${begin.value}-${end.value}` });
  const [begin, end] = [/** @type {HTMLInputElement} */ (time("from", from)), /** @type {HTMLInputElement} */ (time("until", until))];
  const none = () => {
    begin.value = end.value = "";
    change({ quiet: null });
  };
  return h("fieldset", {}, h("legend", {}, t("mail-settings.quiet")),
    h("p", { className: "soft small" }, t("mail-settings.quiet.hint")),
    h("div", { className: "choices" },
      h("label", { className: "field" }, t("mail-settings.quiet.from"), begin), h("label", { className: "field" }, t("mail-settings.quiet.until"), end)),
    h("button", { type: "button", onclick: none }, t("mail-settings.quiet.none")));
}

/**
 * A group of checkboxes.
 * @param {string} name @param {string} title @param {{value: string, title: string, on: boolean}[]} choices @param {(values: string[]) => void} changed
 */
function drawCheckboxes(name, title, choices, changed) {
  const all = h("fieldset", {}, h("legend", {}, title), h("div", { className: "choices" }, choices.map(({ value, title: words, on }) =>
    h("label", { className: "choice" }, h("input", { type: "checkbox", name, value, checked: on, onchange: () => changed(values()) }), words))));
  const values = () => [...all.querySelectorAll("input:checked")].map(input => /** @type {HTMLInputElement} */ (input).value);
  return all;
}

/** @param {Partial<Settings>} wish */
function change(wish) {
  return attempt(async () => {
    await request("PATCH", "/api/me/settings", { body: wish });
    showToast(t("me.saved"));
  });
}
