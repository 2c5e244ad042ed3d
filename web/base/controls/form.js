// @ts-check
/** Forms. An error is shown beside its field, or above the buttons if it concerns no single field. */

import { Problem } from "../api.js";
import { h } from "../dom.js";
import { t } from "../words.js";
import { passwordField } from "./password_field.js";
import { problemText } from "./toasts.js";

/**
 * @typedef {{name: string, label: string, id?: string, hint?: string} & Record<string, any>} Field  Anything else becomes an attribute of the input.
 * @typedef {{fields: Field[], buttons: [string, string][], send: (values: Record<string, string>, pressed: string) => Promise<any>,
 *   cancel?: () => void, seal?: boolean}} Form  `buttons`: the value that `pressed` has for each, and its label.
 */

/** The fields that a problem concerns. @type {Record<string, string[]>} */
const FIELDS_OF_PROBLEM = { "handle-taken": ["handle"], "name-taken": ["name"], "unusable-name": ["name"], "wrong-password": ["current_password", "password"], "common-password": ["password"], "personal-password": ["password"], "invalid-vacation": ["last"], "forbidden-address": ["url"] };

/** @param {string} id also the prefix of its fields' ids @param {Form} form @param {import("../dom.js").Child[]} more above the buttons */
export function drawForm(id, { fields, buttons, send, cancel, seal = false }, ...more) {
  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (isValid(form)) await sendOnce(form, () => send(valuesOf(form), pressed?.value ?? ""));
  }
  return h("form", { id, novalidate: true, "data-own": true, onsubmit: submit },
    fields.map(field => drawField(id, field)),
    more,
    h("p", { className: "wrong", role: "alert" }),
    h("div", { className: "buttons" },
      cancel && h("button", { type: "button", onclick: cancel }, t("cancel")),
      buttons.map(([value, words], n) => h("button", { value, className: n ? "" : seal ? "seal main" : "main" }, words))));
}

/** The values that were filled in, without empty fields. @param {HTMLFormElement} form @returns {Record<string, string>} */
function valuesOf(form) {
  const filled = [...new FormData(form)].filter(([, value]) => value !== "");
  return Object.fromEntries(filled.map(([name, value]) => [name, String(value)]));
}

/** @param {string} form @param {Field} field */
function drawField(form, { name, label, hint, id = `${form}-${name}`, ...more }) {
  const described = [hint && `${id}-hint`, `${id}-wrong`].filter(Boolean).join(" ");
  const input = h("input", { id, name, "aria-describedby": described, oninput: (/** @type {any} */ event) => showFieldError(event.target, ""), ...more });
  return [
    h("label", { for: id }, label),
    hint && h("p", { className: "soft small", id: `${id}-hint` }, hint),
    input.type === "password" ? passwordField(input) : input,
    h("p", { className: "wrong small", id: `${id}-wrong` })];
}

/** Whether every field is valid; focuses the first that is not. @param {HTMLFormElement} form */
function isValid(form) {
  const inputs = [...form.querySelectorAll("input")];
  for (const input of inputs) showFieldError(input, fieldError(input));
  const first = inputs.find(input => fieldError(input));
  first?.focus();
  return !first;
}

/** What is wrong with the value; "" if it is valid. @param {HTMLInputElement} input */
function fieldError({ type, validity, value, minLength }) {
  if (validity.valueMissing) return t(type === "checkbox" ? "field.tick" : "field.missing");
  if (validity.badInput) return t("field.missing");
  if (validity.typeMismatch) return t("field.address");
  if (value && value.length < minLength) return t("field.short", { n: minLength });
  return validity.patternMismatch ? t("field.unfit") : "";
}

/** Shows an error beside a field, or above the buttons if the field has no room for one. @param {HTMLInputElement} input @param {string} words */
function showFieldError(input, words) {
  const place = document.getElementById(`${input.id}-wrong`) ?? input.form?.querySelector(".wrong[role]");
  if (place) place.textContent = words;
  if (words) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

/** Sends the form unless it is being sent already; shows a problem in the form. @param {HTMLFormElement} form @param {() => Promise<any>} send */
async function sendOnce(form, send) {
  if (form.dataset.sending) return;
  const wrong = /** @type {Element} */ (form.querySelector(".wrong[role]"));
  form.dataset.sending = "yes";
  wrong.textContent = "";
  try {
    await send();
  } catch (error) {
    const words = problemText(error);
    const field = fieldOfProblem(form, error);
    if (field) showFieldError(field, field.name === "current_password" ? t("field.password") : words);
    else wrong.textContent = words;
    (field ?? form.querySelector("input"))?.focus();
  }
  delete form.dataset.sending;
}

/** The field that a problem concerns. @param {HTMLFormElement} form @param {unknown} error @returns {HTMLInputElement | undefined} */
function fieldOfProblem(form, error) {
  if (!(error instanceof Problem)) return undefined;
  const names = error.slug === "invalid-body" ? Object.keys(error.body.errors ?? {}) : (FIELDS_OF_PROBLEM[error.slug] ?? []);
  return [...form.querySelectorAll("input")].find(({ name }) => names.includes(name));
}
