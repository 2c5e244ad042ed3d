// @ts-check
/** Forms of a few fields; what went wrong stands above the buttons, where it was pressed. */

import { h } from "./dom.js";
import { worded } from "./notice.js";

/**
 * @typedef {{name: string, label: string, hint?: string} & Record<string, any>} Field  What is left are attributes of the input.
 * @typedef {{fields: Field[], buttons: [string, string][], send: (values: Record<string, string>, pressed: string) => Promise<any>, seal?: boolean}} Form
 *   `buttons`: what each is called in `pressed`, and its words.
 */

/** @param {string} id begins the ids of its fields @param {Form} form @param {import("./dom.js").Child[]} more above the buttons */
export function formOf(id, { fields, buttons, send, seal = false }, ...more) {
  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter);
    await sent(form, () => send(valuesOf(form), pressed?.value ?? ""));
  }
  return h("form", { id, onsubmit: submit },
    fields.map(field => one(id, field)),
    more,
    h("p", { className: "wrong", role: "alert" }),
    h("div", { className: "buttons" }, buttons.map(([value, words], n) => h("button", { value, className: n ? "" : seal ? "seal main" : "main" }, words))));
}

/** What was filled in; fields that were left empty are not there. @param {HTMLFormElement} form @returns {Record<string, string>} */
export function valuesOf(form) {
  const filled = [...new FormData(form)].filter(([, value]) => value !== "");
  return Object.fromEntries(filled.map(([name, value]) => [name, String(value)]));
}

/** @param {string} id @param {Field} field */
function one(id, { name, label, hint, ...more }) {
  const input = `${id}-${name}`;
  return [
    h("label", { for: input }, label),
    hint && h("p", { className: "soft small", id: `${input}-hint` }, hint),
    h("input", { id: input, name, "aria-describedby": hint && `${input}-hint`, ...more })];
}

/** Nothing is sent twice; a problem is told in the form. @param {HTMLFormElement} form @param {() => Promise<any>} send */
async function sent(form, send) {
  if (form.dataset.sending) return;
  const wrong = /** @type {Element} */ (form.querySelector(".wrong"));
  form.dataset.sending = "yes";
  wrong.textContent = "";
  try {
    await send();
  } catch (error) {
    wrong.textContent = worded(error);
    form.querySelector("input")?.focus();
  }
  delete form.dataset.sending;
}
