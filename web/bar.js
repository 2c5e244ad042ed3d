// @ts-check
/**
 * The action bar: what can be chosen now, what has been chosen as one sentence, confirm and undo.
 *
 * @typedef {import("./choice.js").Reading} Reading
 * @typedef {import("./choice.js").Way} Way
 * @typedef {import("./choice.js").Step} Step
 * @typedef {{reading: Reading, touched: boolean, chosen: boolean, seatName: (seat: number) => string,
 *   inHand: (way: Way, step: Step) => boolean, choose: (draft: import("./choice.js").Draft) => void, undo: () => void, confirm: () => void}} Choosing
 */

import { nameOf, pictureOnly } from "./cards.js";
import { h, svg } from "./dom.js";
import { prose, t } from "./words.js";

/** What can be chosen now. @param {Choosing} choosing */
export function drawOptions(choosing) {
  const { step, ready } = choosing.reading;
  if (!step) return null;
  const ways = step.ways.filter(way => !choosing.inHand(way, step) && (choosing.chosen || !isFor(way, ready)));
  const tappable = ways.length < step.ways.length || step.about === "type";
  return h("div", { className: "step", key: "step", role: "group", "aria-labelledby": "step" },
    h("p", { id: "step" }, label(step, tappable, ways.length > 0)),
    ways.length > 0 && h("div", { className: "options" }, ways.map(way => option(way, step, choosing))));
}

/** What has been chosen, and the one button that sends it. @param {Choosing} choosing */
export function drawVerdict({ reading: { ready }, touched, undo, confirm }) {
  return h("div", { className: "verdict", key: "verdict" },
    h("p", { id: "sentence", className: ready ? "sentence" : "sentence soft", role: "status" }, ready ? prose(ready.words) : t("choice.none")),
    h("button", { type: "button", className: "undo", "data-control": true, disabled: !touched, "aria-label": t("undo"), title: t("undo"), onclick: undo }, arrow()),
    h("button", { type: "button", className: "main seal", "data-control": true, id: "confirm", disabled: !ready, "aria-describedby": "sentence", onclick: confirm }, t("confirm")));
}

function arrow() {
  return svg("svg", { viewBox: "0 0 24 24", className: "icon", "aria-hidden": "true" },
    svg("path", { d: "M9 5L4 10L9 15M4 10H14A5 5 0 0 1 14 20H9" }));
}

/** @param {Step} step @param {boolean} tappable @param {boolean} more */
function label({ about, parameter }, tappable, more) {
  if (about === "value") return parameter?.words;
  const tapping = tappable && t(more ? "choice.tap.or" : "choice.tap");
  if (about === "cards") return [parameter?.words, tapping].filter(Boolean).join(t("colon"));
  return tapping || t("choice.all");
}

/** @param {Way} way @param {Step} step @param {Choosing} choosing */
function option(way, step, { reading, seatName, choose }) {
  const pressed = isFor(way, reading.ready);
  return h("button", {
    type: "button", className: way.card ? "option of-card" : "option", "data-control": true, key: JSON.stringify([way.card, way.words, way.value]),
    "aria-pressed": pressed, "aria-label": way.card && nameOf(way.card), onclick: () => choose(way.draft),
  }, way.card ? pictureOnly(way.card) : h("span", {}, text(way, step, seatName)));
}

/** Whether a way leads to what is ready. @param {Way} way @param {import("./api.js").Legal | null} ready */
function isFor({ draft: { chosen } }, ready) {
  return ready !== null && JSON.stringify(chosen?.action) === JSON.stringify(ready.action);
}

/** @param {Way} way @param {Step} step @param {(seat: number) => string} seatName */
function text({ words, value }, { about, parameter }, seatName) {
  if (words !== null) return prose(words);
  if (value === undefined || value === null || value.length === 0) return t("choice.without");
  if (about === "cards") return t("choice.enough");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (parameter?.kind === "seat") return seatName(value);
  if (parameter?.kind === "suit") return t(`suit.${value}`);
  return [value].flat().join(t("comma"));
}
