// @ts-check
/**
 * The user's place in a series: joining it, how many games they play at the same time, leaving it; for its lead, ending it.
 *
 * @typedef {import("./series_page.js").Series} Series
 */

import { request } from "../../base/api.js";
import { confirmDialog } from "../../base/controls/confirm_dialog.js";
import { drawForm } from "../../base/controls/form.js";
import { sitOrAsk } from "../../base/controls/kept_apart.js";
import { singleChoice } from "../../base/controls/single_choice.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { goTo, toSeriesOf } from "../../base/routes.js";
import { t } from "../../base/words.js";
import { player } from "../sign_in/session.js";

/** How many games somebody can play at the same time. */
const AT_ONCE = [1, 2, 3, 4, 5];

/** @param {Series} series @param {() => void} again loads it anew */
export function drawEntry(series, again) {
  const { entry, status } = series;
  if (status === "over") return null;
  if (entry) return drawPlace(series, entry, again);
  return h("section", { className: "sheet", key: "join" },
    h("h2", {}, t("series.join")),
    status === "running" && h("p", { className: "soft", key: "late" }, t("series.join.late")),
    player()?.address ? drawWish("join-series", series, 1, t("series.join"), again) : drawForGuests());
}

/** What is needed to join. */
function drawForGuests() {
  const [address, words] = player() ? ["/me", "account.title"] : ["/enter", "sign-in.title"];
  return h("p", {}, t("series.join.who"), " ", h("a", { href: address }, t(words)));
}

/** @param {Series} series @param {import("./series_page.js").Entry} entry @param {() => void} again */
function drawPlace(series, entry, again) {
  const { status } = series;
  const waits = status === "running" && !entry.plays;
  return h("section", { className: "sheet", key: "place" },
    h("h2", {}, t("series.own")),
    h("p", {}, t(waits ? "series.waits" : "series.plays")),
    canChoose(series) && drawWish("my-series", series, entry.at_once, t("me.save"), again, () => showToast(t("me.saved"))),
    h("div", { className: "buttons", key: "leave" }, h("button", { type: "button", id: "leave-series", onclick: () => leave(series, again) }, t("series.leave"))));
}

/** Whether several games at the same time are possible: later rounds of others are known. @param {Series} series */
function canChoose({ system }) {
  return system !== "swiss";
}

/** How many games one plays at the same time. @param {string} id @param {Series} series @param {number} current @param {string} label @param {() => void} again @param {() => void} [saved] */
function drawWish(id, series, current, label, again, saved) {
  const choice = canChoose(series) && singleChoice("at_once", t("series.at-once"), AT_ONCE.map(n => ({ value: n, title: String(n) })), current, undefined, t("series.at-once.what"));
  return drawForm(id, {
    fields: [],
    buttons: [["", label]],
    send: async ({ at_once }) => {
      const wish = at_once === undefined ? {} : { at_once: AT_ONCE[Number(at_once)] };
      if (await sitOrAsk(more => request("PUT", entryPath(series), { body: { ...wish, ...more } })) && saved) saved();
      again();
    },
  }, choice);
}

/** @param {Series} series */
function path({ id }) {
  return `/api/series/${id}`;
}

/** @param {Series} series */
function entryPath(series) {
  return `${path(series)}/entry`;
}

/** @param {Series} series @param {() => void} again */
async function leave(series, again) {
  if (!(await confirmDialog(t("series.leave"), t("series.leave.what"), t("series.leave")))) return;
  await attempt(() => request("DELETE", entryPath(series)));
  again();
}

/** @param {Series} series @param {() => void} again */
export function drawEnd(series, again) {
  return h("div", { className: "buttons", key: "end" }, h("button", { type: "button", id: "end-series", onclick: () => end(series, again) }, t("series.end")));
}

/** One that has not begun is gone then. @param {Series} series @param {() => void} again */
async function end(series, again) {
  if (!(await confirmDialog(t("series.end"), t("series.end.what"), t("series.end")))) return;
  await attempt(async () => {
    await request("DELETE", path(series));
    if (series.status === "open" && series.circle) goTo(toSeriesOf(series.circle));
    else again();
  });
}
