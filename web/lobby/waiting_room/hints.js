// @ts-check
/**
 * How the user can be told of the next turn, by mail or by this browser: a question that is put once, after the first move.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {{id: string, words: string, act: () => void, href?: string, isMain?: boolean}} Answer  With an address it is a link.
 * @typedef {{key: string, title: string, words: string, answers: [Answer, Answer]}} Hint  The second answer declines.
 */

import { get } from "../../base/api.js";
import { load, save } from "../../base/browser_storage.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";
import { canBeAsked, tryToSubscribe } from "../../people/sign_in/push_here.js";
import { adoptProvenAddress, forgetProvenAddress, player } from "../../people/sign_in/session.js";

/** Stores the id of the first table, or that the hint about an address was dismissed. */
const FIRST_TABLE = "told-address";
const READ = "read";
/** Stores that the offer to be told by this browser was answered. */
const OFFER = "told-push";
/** The key of the server; "" if it pushes nothing, null until it was asked. @type {string | null} */
let serverKey = null;

/** @param {Game} game @param {boolean} hasActed @param {() => void} redraw @returns {Hint | null} */
export function hintFor(game, hasActed, redraw) {
  return ((hasActed || hasProvenAddress()) && addressHint(game, redraw)) || (hasActed && pushOffer(game, redraw)) || null;
}

/** @param {Hint | null} hint @param {boolean} [brief]  in a line, where the table leaves no room for more */
export function drawHint(hint, brief = false) {
  if (!hint) return null;
  const [first, { words, act }] = hint.answers;
  const decline = brief
    ? h("button", { type: "button", className: "plain close", "aria-label": words, title: words, onclick: act }, "×")
    : drawAnswer(hint.answers[1], brief);
  return h("section", { className: brief ? "hint brief" : "hint", key: `${hint.key} ${brief}`, "aria-label": hint.title },
    h("p", {}, hint.words),
    h("div", { className: "buttons" }, drawAnswer(first, brief), decline));
}

/** @param {Answer} answer @param {boolean} brief */
function drawAnswer({ id, words, act, href, isMain }, brief) {
  const more = { id: brief ? null : id, onclick: act };
  return href ? h("a", { ...more, className: "button", href }, words) : h("button", { ...more, type: "button", className: isMain ? "main" : "" }, words);
}

/**
 * For guests at their first table: what a mail address is good for. Whoever has come by a mailed invitation has proven the
 * address, and gets mails there with one touch.
 * @param {Game} game @param {() => void} redraw @returns {Hint | null}
 */
export function addressHint({ id, tenure, status }, redraw) {
  if (!player()?.guest || tenure === null || status === "over") return null;
  const proven = player()?.proven_address;
  if (proven) return provenHint(proven, redraw);
  if (!load(FIRST_TABLE)) save(FIRST_TABLE, id);
  if (load(FIRST_TABLE) !== id) return null;
  const read = () => {
    save(FIRST_TABLE, READ);
    redraw();
  };
  return {
    key: "address", title: t("address.title"), words: t("address.why"), answers: [
      { id: "give-address", words: t("address.give"), href: "/me", act: () => save(FIRST_TABLE, READ) },
      { id: "no-address", words: t("address.later"), act: read }],
  };
}

/** Whether there is an address that the user has proven, and can take with one touch. */
function hasProvenAddress() {
  return Boolean(player()?.guest && player()?.proven_address);
}

/** @param {string} address in part @param {() => void} redraw @returns {Hint} */
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

/** After the first move: this browser can tell the user of the next turn. @param {Game} game @param {() => void} redraw @returns {Hint | null} */
function pushOffer({ tenure, status }, redraw) {
  if (!player() || tenure === null || status !== "running" || load(OFFER) || !canBeAsked()) return null;
  if (serverKey === null) askForKey(redraw);
  if (!serverKey) return null;
  const answered = () => {
    save(OFFER, "read");
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
async function askForKey(redraw) {
  serverKey = "";
  serverKey = (await attempt(() => get("/api/me/push")))?.key ?? "";
  if (serverKey) redraw();
}
