// @ts-check
/**
 * The action bar: what can be chosen now, what has been chosen as one sentence, confirm and undo.
 *
 * @typedef {import("./choice.js").Reading} Reading
 * @typedef {import("./choice.js").Way} Way
 * @typedef {import("./choice.js").Step} Step
 * @typedef {{reading: Reading, hand: string[], touched: boolean, seatName: (seat: number) => string,
 *   choose: (draft: import("./choice.js").Draft) => void, undo: () => void, confirm: () => void}} Choosing
 */

import { nameOf, pictureOnly } from "./cards.js";
import { h } from "./dom.js";
import { prose, t } from "./words.js";

/** @param {Choosing} choosing */
export function drawChoice(choosing) {
  const { reading: { step, ready }, touched, undo, confirm } = choosing;
  return h("section", { className: "bar", key: "choice", "aria-label": t("bar") },
    step && h("div", { className: "step", role: "group", "aria-labelledby": "step" },
      h("p", { id: "step" }, label(step, choosing.hand)),
      h("div", { className: "options" }, step.ways.map(way => option(way, step, choosing)))),
    h("div", { className: "verdict" },
      h("p", { id: "sentence", className: ready ? "sentence" : "sentence soft", role: "status" }, ready ? prose(ready.words) : t("choice.none")),
      h("button", { type: "button", "data-control": true, disabled: !touched, onclick: undo }, t("undo")),
      h("button", { type: "button", className: "main seal", "data-control": true, id: "confirm", disabled: !ready, "aria-describedby": "sentence", onclick: confirm }, t("confirm"))));
}

/** @param {Step} step @param {string[]} hand */
function label({ about, parameter, ways }, hand) {
  if (about === "all" || about === "type") return t(`choice.${about}`);
  const inHand = about === "cards" && ways.some(({ value }) => hand.includes(value));
  return [parameter?.words, inHand && t("choice.hand")].filter(Boolean).join(t("colon"));
}

/** Cards of one's own hand are picked there. @param {Way} way @param {Step} step @param {Choosing} choosing */
function option(way, step, { reading, hand, seatName, choose }) {
  if (step.about === "cards" && hand.includes(way.value)) return null;
  const pressed = way.draft.chosen !== null && way.draft.chosen === reading.ready;
  const drawn = step.about === "cards" && way.value !== undefined;
  return h("button", {
    type: "button", className: drawn ? "option of-card" : "option", "data-control": true, key: way.words ?? `${way.name} ${JSON.stringify(way.value)}`,
    "aria-pressed": pressed, "aria-label": drawn ? nameOf(way.value) : null, onclick: () => choose(way.draft),
  }, drawn ? pictureOnly(way.value) : text(way, step, seatName));
}

/** @param {Way} way @param {Step} step @param {(seat: number) => string} seatName */
function text({ words, value }, { about, parameter }, seatName) {
  if (words !== null) return prose(words);
  if (about === "cards") return t("choice.enough");
  if (value === undefined || value === null) return t("choice.without");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (parameter?.kind === "seat") return seatName(value);
  if (parameter?.kind === "suit") return t(`suit.${value}`);
  return [value].flat().join(t("comma"));
}
