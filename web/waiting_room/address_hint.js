// @ts-check
/**
 * A hint for guests at their first table: what a mail address is good for. Whoever has come by a mailed invitation has
 * proven the address, and gets mails there with one touch.
 */

import { load, save } from "../base/browser_storage.js";
import { h } from "../base/dom.js";
import { t } from "../base/words.js";
import { attempt, showToast } from "../controls/toasts.js";
import { adoptProvenAddress, forgetProvenAddress, player } from "../sign_in/session.js";

/** Stores the id of the first table, or that the hint was dismissed. */
const STORAGE_KEY = "told-address";
const READ = "read";

/** @param {import("../base/api.js").Game} game @param {() => void} redraw */
export function drawAddressHint({ id, tenure, status }, redraw) {
  if (!player()?.guest || tenure === null || status === "over") return null;
  if (player()?.proven_address) return drawProven(/** @type {string} */ (player()?.proven_address), redraw);
  if (!load(STORAGE_KEY)) save(STORAGE_KEY, id);
  if (load(STORAGE_KEY) !== id) return null;
  const read = () => {
    save(STORAGE_KEY, READ);
    redraw();
  };
  return h("section", { className: "hint", key: "address", "aria-label": t("address.title") },
    h("p", {}, t("address.why")),
    h("div", { className: "buttons" },
      h("a", { className: "button", href: "/me", onclick: () => save(STORAGE_KEY, READ) }, t("address.give")),
      h("button", { type: "button", id: "no-address", onclick: read }, t("address.later"))));
}

/** Whether there is an address that the user has proven, and can take with one touch. */
export function hasProvenAddress() {
  return Boolean(player()?.guest && player()?.proven_address);
}

/** @param {string} address in part @param {() => void} redraw */
function drawProven(address, redraw) {
  const take = () => attempt(async () => {
    await adoptProvenAddress();
    showToast(t("address.proven.done", { address }));
    redraw();
  });
  const leave = () => attempt(async () => {
    await forgetProvenAddress();
    redraw();
  });
  return h("section", { className: "hint", key: "address", "aria-label": t("address.title") },
    h("p", {}, t("address.proven", { address })),
    h("div", { className: "buttons" },
      h("button", { type: "button", className: "main", id: "take-address", onclick: take }, t("address.proven.take")),
      h("button", { type: "button", id: "no-address", onclick: leave }, t("address.later"))));
}
