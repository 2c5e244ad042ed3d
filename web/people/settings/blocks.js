// @ts-check
/** The people whom the user has blocked. */

import { get, request } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";

/** @typedef {{id: string, name: string}} Block */

/** @param {() => void} again redraws the page @returns {Promise<HTMLElement | null>} null if there are none */
export async function blockedSection(again) {
  /** @type {Block[] | undefined} */
  const blocks = (await attempt(() => get("/api/me/blocks?limit=100")))?.blocks;
  if (!blocks?.length) return null;
  const lift = (/** @type {string} */ id) => attempt(async () => {
    await request("DELETE", `/api/me/blocks/${id}`);
    again();
  });
  return h("section", { className: "sheet", id: "blocks" },
    h("h2", {}, t("blocked.title")),
    h("p", { className: "soft" }, t("blocked.why")),
    h("ul", { className: "item-list" }, blocks.map(({ id, name }) => h("li", {}, h("span", {}, name),
      h("button", { type: "button", "aria-label": t("blocked.lift.which", { name }), onclick: () => lift(id) }, t("blocked.lift"))))));
}
