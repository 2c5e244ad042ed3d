// @ts-check
/** The confirm bar: what has been chosen, in a sentence; undo; and the button that sends it. */

import { h, svg } from "../base/dom.js";
import { colourCards, t } from "../base/words.js";
import { draftText } from "./value_words.js";

/** @param {import("./options.js").Choosing} choosing */
export function drawConfirmBar({ reading: { ready }, draft, types, seatName, touched, undo, confirm }) {
  return h("div", { className: "confirm-bar", key: "confirm-bar" },
    h("p", { id: "sentence", className: ready ? "sentence" : "sentence soft", role: "status" },
      ready ? colourCards(ready.words) : (touched && colourCards(draftText(draft, types, seatName))) || t("choice.none")),
    h("button", { type: "button", className: "undo", "data-control": true, disabled: !touched, "aria-label": t("undo"), title: t("undo"), onclick: undo }, undoIcon()),
    h("button", { type: "button", className: "main seal", "data-control": true, id: "confirm", disabled: !ready, "aria-describedby": "sentence", onclick: confirm }, t("confirm")));
}

function undoIcon() {
  return svg("svg", { viewBox: "0 0 24 24", className: "icon", "aria-hidden": "true" },
    svg("path", { d: "M9 5L4 10L9 15M4 10H14A5 5 0 0 1 14 20H9" }));
}
