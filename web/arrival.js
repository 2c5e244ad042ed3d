// @ts-check
/**
 * Whoever comes by a link out of a mail. The key does not stay in the address; it is used when a button is pressed, for
 * programs that look at links press none.
 *
 * @typedef {{page: "arrival", purpose: "verify" | "sign-in" | "reset" | "invited", key: string}} Arrival
 */

import { Problem, post } from "./api.js";
import { signal } from "./attention.js";
import { h } from "./dom.js";
import { formOf } from "./fields.js";
import { tell } from "./notice.js";
import { player, recall, resetPassword, signIn } from "./player.js";
import { go } from "./route.js";
import { saveHere } from "./store.js";
import { t } from "./words.js";

/** @param {HTMLElement} main @param {Arrival} arrival */
export function arrive(main, { purpose, key }) {
  signal(false, t(`arrival.${purpose}`));
  main.append(h("section", { className: "sheet" },
    h("h1", {}, t(`arrival.${purpose}`)),
    h("p", {}, t(`arrival.${purpose}.what`)),
    WAYS[purpose](key)));
}

/** @type {Record<Arrival["purpose"], (key: string) => HTMLElement>} */
const WAYS = { verify, "sign-in": enter, reset, invited };

/** @param {string} key */
function verify(key) {
  return pressed("verify", async () => {
    await post("/api/verifications", { key });
    await recall();
    tell(t("arrival.verify.done"));
    go(player() ? "#/me" : "#/enter");
  });
}

/** @param {string} key */
function enter(key) {
  return pressed("sign-in", async () => {
    await signIn({ mailed: key });
    welcome();
  });
}

/** @param {string} key */
function reset(key) {
  return formOf("reset", {
    fields: [{ name: "password", label: t("password.new"), hint: t("password.hint"), type: "password", required: true, minlength: 8, maxlength: 200, autocomplete: "new-password" }],
    buttons: [["", t("arrival.reset.do")]],
    send: ({ password }) => whole(async () => {
      await resetPassword(key, password);
      welcome();
    }),
  });
}

/** @param {string} code */
function invited(code) {
  return pressed("invited", async () => {
    saveHere("invited", code);
    go("#/");
  });
}

function welcome() {
  tell(t("back.welcome", { name: player()?.name ?? "" }));
  go("#/");
}

/** @param {string} purpose @param {() => Promise<void>} send */
function pressed(purpose, send) {
  return formOf("arrival", { fields: [], buttons: [["", t(`arrival.${purpose}.do`)]], send: () => whole(send) });
}

/** What the service calls a key out of a mail. */
const KEYS = ["key", "mailed"];

/** A key that is none at all was cut off on its way. @param {() => Promise<void>} send */
async function whole(send) {
  try {
    await send();
  } catch (error) {
    const broken = error instanceof Problem && error.slug === "invalid-body" && KEYS.some(name => name in (error.body.errors ?? {}));
    throw broken ? new Problem(error.status, { title: t("arrival.broken") }) : error;
  }
}
