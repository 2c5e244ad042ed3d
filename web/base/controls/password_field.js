// @ts-check
/** Password fields: what is typed can be shown, and a new password is rated while it is typed. */

import { h } from "../dom.js";
import { t } from "../words.js";

/** The bits from which on a password is called fair, good and strong. */
const LEVELS = [35, 50, 70];

/** How many characters there are of each kind that a password may contain. @type {[RegExp, number][]} */
const KINDS = [[/[a-z]/, 26], [/[A-Z]/, 26], [/[0-9]/, 10], [/[ -/:-@[-`{-~]/, 33], [/[^ -~]/, 100]];

/** The input with a button that shows what is typed; a new password is rated too. @param {HTMLInputElement} input */
export function passwordField(input) {
  const fresh = input.autocomplete === "new-password";
  return [
    h("div", { className: "with-button" }, input, showButton(input)),
    fresh && strength(input)];
}

/** @param {HTMLInputElement} input */
function showButton(input) {
  /** @param {Event} event */
  function toggle({ currentTarget }) {
    const shown = input.type === "password";
    input.type = shown ? "text" : "password";
    /** @type {Element} */ (currentTarget).setAttribute("aria-pressed", String(shown));
  }
  return h("button", { type: "button", "aria-pressed": false, "aria-label": t("password.show.password"), onclick: toggle }, t("password.show"));
}

/** A meter that follows the input. @param {HTMLInputElement} input */
function strength(input) {
  const meter = h("meter", { min: 0, max: LEVELS.length, low: 1, high: LEVELS.length, optimum: LEVELS.length, "aria-hidden": true });
  const words = h("span", { role: "status" });
  const row = h("p", { className: "strength small", hidden: true }, meter, words);
  input.addEventListener("input", () => {
    const level = LEVELS.filter(least => bits(input.value) >= least).length;
    row.hidden = !input.value;
    meter.value = level;
    words.textContent = input.value ? t(`password.strength.${level}`) : "";
  });
  return row;
}

/** About how hard a password is to guess; runs such as `aaa` or `4321` count as one character. @param {string} password */
function bits(password) {
  const codes = [...password].map(each => each.codePointAt(0) ?? 0);
  const counted = codes.filter((code, n) => n === 0 || Math.abs(code - codes[n - 1]) > 1);
  const alphabet = KINDS.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
  return counted.length && Math.min(counted.length, new Set(codes).size * 2) * Math.log2(alphabet);
}
