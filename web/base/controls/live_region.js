// @ts-check
/** What screen readers are told of the screen: a region that is there before its words, for one that comes with them may not be heard. */

import { h } from "../dom.js";

const region = h("div", { className: "hidden", role: "status", id: "announced" });
region.style.insetBlockStart = "0"; // at the end of the page it would make it scroll
document.body.append(region);

/** Says it, unless that was said last. @param {string} words "" for nothing */
export function announce(words) {
  if (region.textContent !== words) region.textContent = words;
}
