// @ts-check
/** One question of a form with its answers: side by side if they are few, else in a list that opens. */

import { h } from "./dom.js";

/** More answers than these are not shown side by side. */
const FEW = 8;

/**
 * What is submitted is the number of the answer.
 * @typedef {{value: any, title: string, detail?: string}} Choice
 * @param {string} name @param {string} title @param {Choice[]} choices
 * @param {any} current the answer now; of a question that nobody is told of when it changes: at first
 * @param {(value: any) => void} [changed] @param {string} [description]
 */
export function question(name, title, choices, current, changed, description) {
  const more = description && h("p", { className: "soft small" }, description);
  const wide = choices.some(({ detail }) => detail);
  if (choices.length > FEW) return h("div", { className: "field", key: name }, h("label", { for: name }, title), more, select(name, choices, current, changed));
  return h("fieldset", { key: name },
    h("legend", {}, title),
    more,
    h("div", { className: wide ? "choices wide" : "choices" }, choices.map(({ value, title: text, detail }, n) =>
      h("label", { className: "choice" },
        h("input", { type: "radio", name, value: n, ...mark(changed, value === current), onchange: () => changed?.(value) }),
        detail ? h("span", {}, text, h("small", { className: "soft" }, detail)) : text))));
}

/** Where a form is drawn anew with each answer, it says what is marked; elsewhere the reader does. @param {unknown} drawn @param {boolean} on */
function mark(drawn, on) {
  return drawn ? { ".checked": on } : { checked: on };
}

/** @param {string} name @param {{value: any, title: string}[]} choices @param {any} current @param {(value: any) => void} [changed] */
function select(name, choices, current, changed) {
  const chosen = (/** @type {Event} */ event) => changed?.(choices[Number(/** @type {HTMLSelectElement} */ (event.target).value)].value);
  const shown = changed ? { ".value": String(choices.findIndex(({ value }) => value === current)) } : {};
  return h("select", { id: name, name, onchange: chosen, ...shown },
    choices.map(({ title, value }, n) => h("option", { value: n, selected: !changed && value === current }, title)));
}
