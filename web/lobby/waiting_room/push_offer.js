// @ts-check
/** An offer after the first move: this browser can tell the user of the next turn. */

import { get } from "../../base/api.js";
import { load, save } from "../../base/browser_storage.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { t } from "../../base/words.js";
import { canBeAsked, tryToSubscribe } from "../../people/sign_in/push_here.js";
import { player } from "../../people/sign_in/session.js";

/** Stores that the offer was answered. */
const STORAGE_KEY = "told-push";
/** The key of the server; "" if it pushes nothing, null until it was asked. @type {string | null} */
let serverKey = null;

/** @param {import("../../base/api.js").Game} game @param {() => void} redraw @returns {import("./hint.js").Hint | null} */
export function pushOffer({ tenure, status }, redraw) {
  if (!player() || tenure === null || status !== "running" || load(STORAGE_KEY) || !canBeAsked()) return null;
  if (serverKey === null) ask(redraw);
  if (!serverKey) return null;
  const answered = () => {
    save(STORAGE_KEY, "read");
    redraw();
  };
  const accept = () => attempt(async () => {
    const words = await tryToSubscribe(serverKey ?? "");
    answered();
    showToast(t(words));
  });
  return {
    key: "push", title: t("push.title"), words: t("push.offer"), answers: [
      { id: "take-push", words: t("push.offer.yes"), act: accept },
      { id: "no-push", words: t("push.offer.no"), act: answered }],
  };
}

/** @param {() => void} redraw */
async function ask(redraw) {
  serverKey = "";
  serverKey = (await attempt(() => get("/api/me/push")))?.key ?? "";
  if (serverKey) redraw();
}
