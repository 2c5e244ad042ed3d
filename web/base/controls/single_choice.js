// @ts-check
/** A choice of one answer: radio buttons, or a select if there are many. */

import { h } from "../dom.js";

/** The most answers without details that are shown as radio buttons. */
const FEW = 6;

/**
 * The value submitted is the index of the answer.
 * @typedef {{value: any, title: string, detail?: string}} Choice
 * @param {string} name @param {string} title @param {Choice[]} choices
 * @param {any} current the answer now; without `changed`, the answer at first
 * @param {(value: any) => void} [changed] @param {string} [description]
 */
export function singleChoice(name, title, choices, current, changed, description) {
  const more = description && h("p", { className: "soft small" }, description);
  const wide = choices.some(({ detail }) => detail);
  if (choices.length > FEW && !wide) return h("div", { className: "field", key: name }, h("label", { for: name }, title), more, select(name, choices, current, changed));
  const checked = changed ? ".checked" : "checked"; // a form that is redrawn on every change decides it; otherwise the user does
  return h("fieldset", { key: name },
    h("legend", {}, title),
    more,
    h("div", { className: wide ? "choices wide" : "choices" }, choices.map(({ value, title: text, detail }, n) =>
      h("label", { className: "choice" },
        h("input", { type: "radio", name, value: n, [checked]: value === current, onchange: () => changed?.(value) }),
        detail ? h("span", {}, text, h("small", { className: "soft" }, detail)) : text))));
}

/** @param {string} name @param {{value: any, title: string}[]} choices @param {any} current @param {(value: any) => void} [changed] */
function select(name, choices, current, changed) {
  const chosen = (/** @type {Event} */ event) => changed?.(choices[Number(/** @type {HTMLSelectElement} */ (event.target).value)].value);
  const shown = changed ? { ".value": String(choices.findIndex(({ value }) => value === current)) } : {};
  return h("select", { id: name, name, onchange: chosen, ...shown },
    choices.map(({ title, value }, n) => h("option", { value: n, selected: !changed && value === current }, title)));
}
