// @ts-check
/**
 * A choice among many numbers: a field, buttons for steps, and a slider.
 *
 * @typedef {import("./narrowing.js").Way} Way
 * @typedef {import("./narrowing.js").Step} Step
 */

import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";

/** The most numbers that are offered as buttons. */
const FEW = 12;

/** Whether a step has too many numbers for buttons. @param {Step} step @param {Way[]} ways */
export function isLongNumber({ about, parameter }, ways) {
  return about === "value" && parameter?.kind === "number" && ways.length > FEW && ways.every(({ words, value }) => words === null && Number.isInteger(value));
}

/**
 * @param {Step} step @param {Way[]} unordered @param {any} current the number chosen, or undefined
 * @param {(way: Way | null) => void} choose  null: the number typed is not among them
 * @param {() => void} confirm
 */
export function drawNumberField({ parameter }, unordered, current, choose, confirm) {
  const ways = [...unordered].sort((one, other) => one.value - other.value);
  const at = ways.findIndex(({ value }) => value === current);
  const [least, most] = [ways[0].value, ways[ways.length - 1].value];
  /** @param {number} n */
  const step = n => choose(ways[at < 0 ? 0 : Math.min(Math.max(at + n, 0), ways.length - 1)]);
  /** @param {Event} event */
  const typed = event => choose(ways.find(({ value }) => value === Number(valueOf(event))) ?? null);
  /** @param {KeyboardEvent} event */
  const pressed = event => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    confirm();
  };
  return h("div", { className: "number", key: "number" },
    h("button", { type: "button", "data-control": true, "aria-label": t("number.less"), disabled: at === 0, onclick: () => step(-1) }, "−"),
    h("input", {
      type: "number", inputmode: "numeric", min: least, max: most, step: "any", "aria-label": parameter?.words, placeholder: t("number.range", { least, most }),
      ".value": current ?? "", oninput: typed, onkeydown: pressed,
    }),
    h("button", { type: "button", "data-control": true, "aria-label": t("number.more"), disabled: at === ways.length - 1, onclick: () => step(1) }, "+"),
    h("input", {
      type: "range", min: 0, max: ways.length - 1, "aria-label": t("number.slider", { what: parameter?.words ?? "" }), "aria-valuetext": current ?? t("number.none"),
      ".value": Math.max(at, 0), oninput: (/** @type {Event} */ event) => choose(ways[Number(valueOf(event))]),
    }));
}

/** @param {Event} event */
function valueOf(event) {
  return /** @type {HTMLInputElement} */ (event.target).value;
}
