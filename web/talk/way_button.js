// @ts-check
/** A button for something that can be done about a person or a message. */

import { h } from "../base/dom.js";
import { t } from "../base/words.js";

/** @param {string} words the key of its words, `talk.…` @param {() => any} act */
export function drawWayButton(words, act) {
  return h("button", { type: "button", "data-way": words.replace("talk.", ""), onclick: act }, t(words));
}
