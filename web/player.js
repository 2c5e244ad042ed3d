// @ts-check
/**
 * Who is playing here. A guest is made when somebody first sits down: one field, then on with what was being done.
 *
 * @typedef {import("./api.js").Player} Player
 */

import { Problem, ask, get, post } from "./api.js";
import { h } from "./dom.js";
import { formOf } from "./fields.js";
import { load, loadHere, save, saveHere } from "./store.js";
import { language, t } from "./words.js";

/** @type {Player | null} */
let current = null;
/** @type {() => void} */
let changed = () => {};

/** The player, or null: nobody has sat down here yet. */
export function player() {
  return current;
}

/** Calls `then` whenever somebody else is the player. @param {() => void} then */
export function onPlayer(then) {
  changed = then;
}

/** Asks the service who this is, if somebody sat down here before. */
export async function recall() {
  if (!load("player")) return;
  try {
    set((await get("/api/me")).player);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    set(null);
  }
}

/** Comes back: by a secret link, by a password, or with a key out of a mail. @param {{key: string} | {who: string, password: string} | {mailed: string}} wish */
export async function signIn(wish) {
  set((await post("/api/sign-ins", wish)).player);
}

/** Chooses a new password with a key out of a mail, and is signed in by it. @param {string} key @param {string} password */
export async function resetPassword(key, password) {
  set((await post("/api/password-resets", { key, password })).player);
}

/** What the service just said about who this is. @param {Player | null} who */
export function now(who) {
  set(who);
}

/** @param {{name?: string, language?: string}} change */
export async function changeMe(change) {
  set((await ask("PATCH", "/api/me", { body: change })).data.player);
}

export async function signOut() {
  await ask("DELETE", "/api/sign-ins/current");
  saveHere("link", null);
  set(null);
}

/** The player; who is none yet is asked for a name. Null: they would rather not. @returns {Promise<Player | null>} */
export async function somebody() {
  if (current) return current;
  return new Promise(resolve => {
    const dialog = nameDialog();
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(current);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function nameDialog() {
  const close = () => dialog.close();
  const form = formOf("sit", {
    fields: [{ name: "name", id: "name", label: t("name.label"), required: true, maxlength: 40, autocomplete: "nickname", autofocus: true }],
    buttons: [["", t("name.sit")]],
    cancel: close,
    async send({ name = "" }) {
      const invitation = loadHere("invited") ?? undefined;
      const made = await post("/api/players", { name: name.trim(), language: language(), invitation });
      saveHere("link", made.link.url);
      set(made.player);
      close();
    },
  }, h("p", { className: "soft small" }, t("name.known"), " ", h("a", { href: "#/enter", onclick: close }, t("enter.title"))));
  const dialog = h("dialog", { className: "ask-name", "aria-labelledby": "ask-name" },
    h("h2", { id: "ask-name" }, t("name.title")),
    h("p", { className: "soft" }, t("name.why")),
    form);
  return dialog;
}

/** @param {Player | null} who */
function set(who) {
  current = who;
  save("player", who && who.name);
  changed();
}
