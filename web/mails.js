// @ts-check
/**
 * How the service is to treat me: time zone, which mails, when to be reminded.
 *
 * @typedef {{language: string, time_zone: string, unwanted: string[], reminders: number[]}} Settings
 */

import { ask, get } from "./api.js";
import { h } from "./dom.js";
import { attempt, tell } from "./notice.js";
import { player } from "./player.js";
import { span } from "./time.js";
import { t } from "./words.js";

const KINDS = ["turn", "reminder", "proposal", "over", "told", "taken-over", "before-start", "offer", "nudge"];
/** Minutes before a time is over. */
const LEADS = [2880, 1440, 180, 60, 15];
/** So many reminders one can have. */
const MOST = 5;

/** Where nothing else was ever chosen, times are told as on this device. */
export async function adoptZone() {
  await attempt(async () => {
    const { settings } = await get("/api/me/settings");
    if (settings.time_zone === "UTC") await ask("PATCH", "/api/me/settings", { body: { time_zone: here() } });
  });
}

function here() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** @returns {Promise<HTMLElement | null>} */
export async function mailSection() {
  /** @type {Settings | undefined} */
  const settings = (await attempt(() => get("/api/me/settings")))?.settings;
  if (!settings) return null;
  return h("section", { className: "sheet", id: "mails" },
    h("h2", {}, t("mails.title")),
    zone(settings),
    player()?.handle === null ? h("p", { className: "soft" }, t("mails.guest")) : [kinds(settings), reminders(settings)]);
}

/** @param {Settings} settings */
function zone(settings) {
  const device = here();
  const zones = [...new Set(["UTC", device, settings.time_zone, ...Intl.supportedValuesOf("timeZone")])].sort();
  const field = h("select", { id: "time-zone", onchange: () => change({ time_zone: field.value }) },
    zones.map(each => h("option", { value: each, selected: each === settings.time_zone }, each.replaceAll("_", " "))));
  const take = () => {
    field.value = device;
    change({ time_zone: device });
  };
  return h("div", { className: "field" },
    h("label", { for: "time-zone" }, t("mails.zone")), field,
    device !== settings.time_zone && h("button", { type: "button", onclick: take }, t("mails.zone.here", { zone: device.replaceAll("_", " ") })));
}

/** @param {Settings} settings */
function kinds({ unwanted }) {
  return boxes("kind", t("mails.kinds"), KINDS.map(kind => ({ value: kind, title: t(`mails.kind.${kind}`), on: !unwanted.includes(kind) })),
    wanted => change({ unwanted: [...unwanted.filter(kind => !KINDS.includes(kind)), ...KINDS.filter(kind => !wanted.includes(kind))] }));
}

/** @param {Settings} settings */
function reminders({ reminders: chosen }) {
  const leads = [...new Set([...LEADS, ...chosen])].sort((one, other) => other - one);
  return boxes("lead", t("mails.reminders"), leads.map(lead => ({ value: String(lead), title: t("mails.reminder", { time: span(lead * 60) }), on: chosen.includes(lead) })),
    wanted => change({ reminders: wanted.slice(0, MOST).map(Number) }));
}

/**
 * A question with any number of answers.
 * @param {string} name @param {string} title @param {{value: string, title: string, on: boolean}[]} choices @param {(values: string[]) => void} changed
 */
function boxes(name, title, choices, changed) {
  const all = h("fieldset", {}, h("legend", {}, title), h("div", { className: "choices" }, choices.map(({ value, title: words, on }) =>
    h("label", { className: "choice" }, h("input", { type: "checkbox", name, value, checked: on, onchange: () => changed(values()) }), words))));
  const values = () => [...all.querySelectorAll("input:checked")].map(input => /** @type {HTMLInputElement} */ (input).value);
  return all;
}

/** @param {Partial<Settings>} wish */
function change(wish) {
  return attempt(async () => {
    await ask("PATCH", "/api/me/settings", { body: wish });
    tell(t("me.saved"));
  });
}
