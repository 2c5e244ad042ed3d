// @ts-check
/**
 * The people whom the host has muted.
 *
 * @typedef {import("./talk.js").Talk} Talk
 */

import { get, request } from "../base/api.js";
import { attempt } from "../base/controls/toasts.js";
import { h } from "../base/dom.js";
import { t } from "../base/words.js";

/** @param {Talk} talk */
export function drawMutes(talk) {
  const lift = (/** @type {string} */ id) => attempt(() => request("DELETE", `${talk.path}/mutes/${id}`)).then(() => loadMutes(talk));
  const show = (/** @type {any} */ event) => event.target.open && loadMutes(talk);
  return h("details", { className: "more", key: "mutes", ontoggle: show },
    h("summary", {}, t("talk.mutes")),
    talk.mutes.length === 0 && h("p", { className: "soft" }, t("talk.mutes.none")),
    h("ul", { className: "item-list" }, talk.mutes.map(({ id, name }) => h("li", { key: id }, h("span", {}, name),
      h("button", { type: "button", "aria-label": t("talk.mutes.lift.which", { name }), onclick: () => lift(id) }, t("talk.mutes.lift"))))));
}

/** @param {Talk} talk */
export async function loadMutes(talk) {
  await attempt(async () => {
    talk.mutes = (await get(`${talk.path}/mutes`)).mutes;
  });
  talk.redraw();
}
