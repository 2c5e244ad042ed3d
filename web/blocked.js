// @ts-check
/** Whom I have blocked. */

import { ask, get } from "./api.js";
import { h } from "./dom.js";
import { attempt } from "./notice.js";
import { t } from "./words.js";

/** @typedef {{id: string, name: string}} Block */

/** @param {() => void} again shows it anew @returns {Promise<HTMLElement | null>} null: nobody */
export async function blockedSection(again) {
  /** @type {Block[] | undefined} */
  const blocks = (await attempt(() => get("/api/me/blocks?limit=100")))?.blocks;
  if (!blocks?.length) return null;
  const lift = (/** @type {string} */ id) => attempt(async () => {
    await ask("DELETE", `/api/me/blocks/${id}`);
    again();
  });
  return h("section", { className: "sheet", id: "blocks" },
    h("h2", {}, t("blocked.title")),
    h("p", { className: "soft" }, t("blocked.why")),
    h("ul", { className: "tokens" }, blocks.map(({ id, name }) => h("li", {}, h("span", {}, name),
      h("button", { type: "button", "aria-label": t("blocked.lift.which", { name }), onclick: () => lift(id) }, t("blocked.lift"))))));
}
