// @ts-check
/** Whether only moves are played for the user, where everybody at the table sees that there is no other. */

import { get, request } from "../../base/api.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";

/** @returns {Promise<HTMLElement | null>} */
export async function onlyMovesSection() {
  /** @type {{only_move: boolean} | undefined} */
  const settings = (await attempt(() => get("/api/me/settings")))?.settings;
  if (!settings) return null;
  const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", name: "only-move", checked: settings.only_move, onchange: () => change(box.checked) }));
  return h("section", { className: "sheet", id: "only-moves" },
    h("h2", {}, t("only-move")),
    h("p", { className: "soft" }, t("only-move.why")),
    h("label", { className: "choice" }, box, t("only-move")));
}

/** @param {boolean} wanted */
function change(wanted) {
  return attempt(async () => {
    await request("PATCH", "/api/me/settings", { body: { only_move: wanted } });
    showToast(t("me.saved"));
  });
}
