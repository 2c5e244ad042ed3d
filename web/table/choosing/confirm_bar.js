// @ts-check
/** The confirm bar: what has been chosen, in a sentence; starting over, taking back a step; and the button that sends it. */

import { h } from "../../base/dom.js";
import { drawIcon } from "../../base/icons.js";
import { colourCards, t } from "../../base/words.js";
import { lettersOf } from "./lines_of_buttons.js";
import { nextLabel } from "./options.js";
import { draftText } from "./value_words.js";

/** Beyond so many narrow letters a sentence is written smaller, and smaller still: the bar stays as high as it is, also on a phone on its side. */
const LONG = 50;
const LONGEST = 100;

/** @param {import("./options.js").Choosing} choosing */
export function drawConfirmBar(choosing) {
  const { reading: { ready }, steps, unsent, changes, whyNot, undo, startOver, confirm, keeps, orders } = choosing;
  const sentence = h("p", { id: "sentence", key: "sentence", className: ready || steps > 0 ? "sentence" : "sentence soft", role: "status" },
    ready ? colourCards(ready.words) : drawUnfinished(choosing),
    whyNot && h("span", { className: "why-not", key: "why-not" }, colourCards(whyNot)),
    !whyNot && ready && changes.length > 0 && h("span", { className: "foreseen" }, colourCards(t("foreseen", { changes: changes.join(t("comma")) }))));
  const letters = lettersOf(sentence.textContent ?? "");
  sentence.classList.toggle("long", letters > LONG);
  sentence.classList.toggle("longest", letters > LONGEST);
  // A class of its own: `:has(.unsent) > *` would style the whole table anew whenever anything comes or goes.
  return h("div", { className: unsent ? "confirm-bar waits" : "confirm-bar", key: "confirm-bar" },
    sentence,
    unsent && h("p", { className: "unsent", key: "unsent" }, t("offline.unsent")),
    steps > 1 && iconButton("start-over", false, startOver),
    iconButton(steps > 0 ? "undo" : keeps ? "keep" : orders ? "orders" : "undo", steps === 0 && !keeps && !orders, steps === 0 && !keeps && orders || undo),
    h("button", { type: "button", className: "main seal", "data-control": true, id: "confirm", key: "confirm", disabled: !ready, "aria-describedby": "sentence", onclick: confirm }, t("confirm")));
}

/** What has been chosen so far, and what comes next. @param {import("./options.js").Choosing} choosing */
function drawUnfinished(choosing) {
  const { draft, types, seatName, steps, whyNot } = choosing;
  const chosen = steps > 0 && draftText(draft, types, seatName);
  const next = whyNot ? null : nextLabel(choosing); // room for the reason
  if (whyNot && !chosen) return null;
  if (!chosen) return next || t("choice.none");
  return [colourCards(chosen), next && h("span", { className: "next" }, next)];
}

const UNDO = "M9 5L4 10L9 15M4 10H14A5 5 0 0 1 14 20H9";
/** @type {Record<string, string>} */
const ICONS = { undo: UNDO, keep: UNDO, "start-over": "M6 6L18 18M18 6L6 18", orders: "M12 4a8 8 0 1 1-7.5 5.2M4 4v5h5M12 8v4l3 2" };

/** @param {string} name @param {boolean} disabled @param {() => void} onclick */
function iconButton(name, disabled, onclick) {
  return h("button", { type: "button", className: name, key: name, "data-control": true, disabled, "aria-label": t(name), title: t(name), onclick },
    drawIcon(ICONS[name]));
}
