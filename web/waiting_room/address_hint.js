// @ts-check
/** A hint for guests at their first table: what a mail address is good for. */

import { load, save } from "../base/browser_storage.js";
import { h } from "../base/dom.js";
import { t } from "../base/words.js";
import { player } from "../sign_in/session.js";

/** Stores the id of the first table, or that the hint was dismissed. */
const STORAGE_KEY = "told-address";
const READ = "read";

/** @param {import("../base/api.js").Game} game @param {() => void} redraw */
export function drawAddressHint({ id, tenure, status }, redraw) {
  if (!player()?.guest || tenure === null || status === "over") return null;
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
