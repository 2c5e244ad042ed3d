// @ts-check
/** Forms of a few fields; what went wrong stands in words beside the field, or above the buttons if it is about none of them. */

import { Problem } from "./api.js";
import { h } from "./dom.js";
import { worded } from "./notice.js";
import { t } from "./words.js";

/**
 * @typedef {{name: string, label: string, id?: string, hint?: string} & Record<string, any>} Field  What is left are attributes of the input.
 * @typedef {{fields: Field[], buttons: [string, string][], send: (values: Record<string, string>, pressed: string) => Promise<any>,
 *   cancel?: () => void, seal?: boolean}} Form  `buttons`: what each is called in `pressed`, and its words.
 */

/** Which fields a problem may be about. @type {Record<string, string[]>} */
const ABOUT = { "handle-taken": ["handle"], "wrong-password": ["current_password", "password"], "invalid-vacation": ["last"] };

/** @param {string} id begins the ids of its fields @param {Form} form @param {import("./dom.js").Child[]} more above the buttons */
export function formOf(id, { fields, buttons, send, cancel, seal = false }, ...more) {
  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (isFilled(form)) await sent(form, () => send(valuesOf(form), pressed?.value ?? ""));
  }
  return h("form", { id, novalidate: true, "data-own": true, onsubmit: submit },
    fields.map(field => one(id, field)),
    more,
    h("p", { className: "wrong", role: "alert" }),
    h("div", { className: "buttons" },
      cancel && h("button", { type: "button", onclick: cancel }, t("cancel")),
      buttons.map(([value, words], n) => h("button", { value, className: n ? "" : seal ? "seal main" : "main" }, words))));
}

/** What was filled in; fields that were left empty are not there. @param {HTMLFormElement} form @returns {Record<string, string>} */
export function valuesOf(form) {
  const filled = [...new FormData(form)].filter(([, value]) => value !== "");
  return Object.fromEntries(filled.map(([name, value]) => [name, String(value)]));
}

/** @param {string} form @param {Field} field */
function one(form, { name, label, hint, id = `${form}-${name}`, ...more }) {
  const described = [hint && `${id}-hint`, `${id}-wrong`].filter(Boolean).join(" ");
  return [
    h("label", { for: id }, label),
    hint && h("p", { className: "soft small", id: `${id}-hint` }, hint),
    h("input", { id, name, "aria-describedby": described, oninput: (/** @type {any} */ event) => say(event.target, ""), ...more }),
    h("p", { className: "wrong small", id: `${id}-wrong` })];
}

/** Whether every field is as it should be; the first that is not is gone to. @param {HTMLFormElement} form */
function isFilled(form) {
  const inputs = [...form.querySelectorAll("input")];
  for (const input of inputs) say(input, lacking(input));
  const first = inputs.find(input => lacking(input));
  first?.focus();
  return !first;
}

/** What is wrong with what was typed; "" if nothing is. @param {HTMLInputElement} input */
function lacking({ type, validity, value, minLength }) {
  if (validity.valueMissing) return t(type === "checkbox" ? "field.tick" : "field.missing");
  if (validity.badInput) return t("field.missing");
  if (validity.typeMismatch) return t("field.address");
  if (value && value.length < minLength) return t("field.short", { n: minLength });
  return validity.patternMismatch ? t("field.unfit") : "";
}

/** Says beside a field what is wrong with it, or where the form says the rest. @param {HTMLInputElement} input @param {string} words */
function say(input, words) {
  const place = document.getElementById(`${input.id}-wrong`) ?? input.form?.querySelector(".wrong[role]");
  if (place) place.textContent = words;
  if (words) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

/** Nothing is sent twice; a problem is told in the form. @param {HTMLFormElement} form @param {() => Promise<any>} send */
async function sent(form, send) {
  if (form.dataset.sending) return;
  const wrong = /** @type {Element} */ (form.querySelector(".wrong[role]"));
  form.dataset.sending = "yes";
  wrong.textContent = "";
  try {
    await send();
  } catch (error) {
    const words = worded(error);
    const field = concerned(form, error);
    if (field) say(field, field.name === "current_password" ? t("field.password") : words);
    else wrong.textContent = words;
    (field ?? form.querySelector("input"))?.focus();
  }
  delete form.dataset.sending;
}

/** The field that a problem is about. @param {HTMLFormElement} form @param {unknown} error @returns {HTMLInputElement | undefined} */
function concerned(form, error) {
  if (!(error instanceof Problem)) return undefined;
  const names = error.slug === "invalid-body" ? Object.keys(error.body.errors ?? {}) : (ABOUT[error.slug] ?? []);
  return [...form.querySelectorAll("input")].find(({ name }) => names.includes(name));
}
