// @ts-check
/** Told once, to a guest at the first table: what an address is good for. */

import { h } from "./dom.js";
import { player } from "./player.js";
import { load, save } from "./store.js";
import { t } from "./words.js";

/** Where it stands which table was the first, or that it has been read. */
const KEY = "told-address";
const READ = "read";

/** @param {import("./api.js").Game} game @param {() => void} redraw */
export function drawAddress({ id, tenure, status }, redraw) {
  if (!player()?.guest || tenure === null || status === "over") return null;
  if (!load(KEY)) save(KEY, id);
  if (load(KEY) !== id) return null;
  const read = () => {
    save(KEY, READ);
    redraw();
  };
  return h("section", { className: "hint", key: "address", "aria-label": t("address.title") },
    h("p", {}, t("address.why")),
    h("div", { className: "buttons" },
      h("a", { className: "button", href: "#/me", onclick: () => save(KEY, READ) }, t("address.give")),
      h("button", { type: "button", id: "no-address", onclick: read }, t("address.later"))));
}
