// @ts-check
/**
 * A hint for guests at their first table: what a mail address is good for. Whoever has come by a mailed invitation has
 * proven the address, and gets mails there with one touch.
 */

import { load, save } from "../../base/browser_storage.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { t } from "../../base/words.js";
import { adoptProvenAddress, forgetProvenAddress, player } from "../../people/sign_in/session.js";

/** Stores the id of the first table, or that the hint was dismissed. */
const STORAGE_KEY = "told-address";
const READ = "read";

/** @param {import("../../base/api.js").Game} game @param {() => void} redraw @returns {import("./hint.js").Hint | null} */
export function addressHint({ id, tenure, status }, redraw) {
  if (!player()?.guest || tenure === null || status === "over") return null;
  const proven = player()?.proven_address;
  if (proven) return provenHint(proven, redraw);
  if (!load(STORAGE_KEY)) save(STORAGE_KEY, id);
  if (load(STORAGE_KEY) !== id) return null;
  const read = () => {
    save(STORAGE_KEY, READ);
    redraw();
  };
  return {
    key: "address", title: t("address.title"), words: t("address.why"), answers: [
      { id: "give-address", words: t("address.give"), href: "/me", act: () => save(STORAGE_KEY, READ) },
      { id: "no-address", words: t("address.later"), act: read }],
  };
}

/** Whether there is an address that the user has proven, and can take with one touch. */
export function hasProvenAddress() {
  return Boolean(player()?.guest && player()?.proven_address);
}

/** @param {string} address in part @param {() => void} redraw @returns {import("./hint.js").Hint} */
function provenHint(address, redraw) {
  const take = () => attempt(async () => {
    await adoptProvenAddress();
    showToast(t("address.proven.done", { address }));
    redraw();
  });
  const leave = () => attempt(async () => {
    await forgetProvenAddress();
    redraw();
  });
  return {
    key: "address", title: t("address.title"), words: t("address.proven", { address }), answers: [
      { id: "take-address", words: t("address.proven.take"), isMain: true, act: take },
      { id: "no-address", words: t("address.later"), act: leave }],
  };
}
