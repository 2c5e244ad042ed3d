// @ts-check
/**
 * The action bar: what can be chosen now, what has been chosen as one sentence, confirm and undo.
 *
 * @typedef {import("./choice.js").Reading} Reading
 * @typedef {import("./choice.js").Way} Way
 * @typedef {import("./choice.js").Step} Step
 * @typedef {import("./choice.js").Draft} Draft
 *
 * @typedef {object} Choosing
 * @property {Reading} reading
 * @property {import("./choice.js").Types} types
 * @property {Draft} draft
 * @property {boolean} touched
 * @property {boolean} chosen
 * @property {"cards" | "tiles"} pieces  What the hand holds.
 * @property {"cards" | "tiles" | "places" | null} tappable  What outside this bar leads on.
 * @property {string[]} picked  Cards that were picked here, since they are not in the hand.
 * @property {(seat: number) => string} seatName
 * @property {(way: Way, step: Step) => boolean} shown  Whether a way is chosen in the hand or on the table.
 * @property {(card: string) => void} putBack
 * @property {(draft: Draft) => void} choose
 * @property {() => void} undo
 * @property {() => void} confirm
 */

import { nameOf, pictureOnly } from "./cards.js";
import { h, svg } from "./dom.js";
import { drawNumber, isLongNumber } from "./number.js";
import { soFar, valueText } from "./wording.js";
import { prose, t } from "./words.js";

/** What can be chosen now. @param {Choosing} choosing */
export function drawOptions(choosing) {
  const { step, ready } = choosing.reading;
  if (!step) return choosing.picked.length > 0 && h("div", { className: "step", key: "step" }, h("div", { className: "options" }, pickedCards(choosing)));
  const ways = step.ways.filter(way => !choosing.shown(way, step) && (choosing.chosen || !isFor(way, ready)));
  const label = h("p", { id: "step" }, labelOf(step, ways, choosing));
  const long = isLongNumber(step, ways);
  return h("div", { className: "step", key: "step", role: "group", "aria-labelledby": "step" }, label,
    long ? number(step, ways, choosing) : options(ways, step, choosing));
}

/** @param {Way[]} ways @param {Step} step @param {Choosing} choosing */
function options(ways, step, choosing) {
  const picked = step.about === "cards" ? pickedCards(choosing) : [];
  return ways.length + picked.length > 0 && h("div", { className: "options" }, picked, ways.map(way => option(way, step, choosing)));
}

/** @param {Step} step @param {Way[]} ways @param {Choosing} choosing */
function number(step, ways, { reading, draft, choose, confirm }) {
  const current = step.parameter && draft.chosen?.action[step.parameter.name];
  return drawNumber(step, ways, reading.ready ? current : undefined, way => choose(way ? way.draft : { ...draft, chosen: null }), confirm);
}

/** What has been chosen, and the one button that sends it. @param {Choosing} choosing */
export function drawVerdict({ reading: { ready }, draft, types, seatName, touched, undo, confirm }) {
  return h("div", { className: "verdict", key: "verdict" },
    h("p", { id: "sentence", className: ready ? "sentence" : "sentence soft", role: "status" },
      ready ? prose(ready.words) : (touched && prose(soFar(draft, types, seatName))) || t("choice.none")),
    h("button", { type: "button", className: "undo", "data-control": true, disabled: !touched, "aria-label": t("undo"), title: t("undo"), onclick: undo }, arrow()),
    h("button", { type: "button", className: "main seal", "data-control": true, id: "confirm", disabled: !ready, "aria-describedby": "sentence", onclick: confirm }, t("confirm")));
}

function arrow() {
  return svg("svg", { viewBox: "0 0 24 24", className: "icon", "aria-hidden": "true" },
    svg("path", { d: "M9 5L4 10L9 15M4 10H14A5 5 0 0 1 14 20H9" }));
}

/** What is to be decided, and where. @param {Step} step @param {Way[]} ways @param {Choosing} choosing */
function labelOf(step, ways, { pieces, tappable }) {
  const { about, parameter } = step;
  const elsewhere = ways.length < step.ways.length ? (parameter?.kind === "position" ? "places" : pieces) : null;
  const what = about === "type" ? tappable : elsewhere;
  const tapping = what && t(ways.length ? `choice.tap.${what}.or` : `choice.tap.${what}`);
  if (about === "value" || about === "cards") return [parameter?.words, tapping].filter(Boolean).join(t("colon"));
  return tapping || t("choice.all");
}

/** Cards that lie neither in the hand nor elsewhere in reach stay here when they are picked. @param {Choosing} choosing */
function pickedCards({ picked, putBack }) {
  return picked.map(card => h("button", {
    type: "button", className: "option of-card up", "data-control": true, key: `picked ${card}`, "aria-pressed": true, "aria-label": nameOf(card), onclick: () => putBack(card),
  }, pictureOnly(card)));
}

/** @param {Way} way @param {Step} step @param {Choosing} choosing */
function option(way, step, { reading, seatName, choose }) {
  const pressed = isFor(way, reading.ready);
  return h("button", {
    type: "button", className: way.card ? "option of-card" : "option", "data-control": true, key: JSON.stringify([way.card, way.words, way.value]),
    "aria-pressed": pressed, "aria-label": way.card && nameOf(way.card), onclick: () => choose(way.draft),
  }, way.card ? pictureOnly(way.card) : h("span", {}, prose(text(way, step, seatName))));
}

/** Whether a way leads to what is ready. @param {Way} way @param {import("./api.js").Legal | null} ready */
function isFor({ draft: { chosen } }, ready) {
  return ready !== null && JSON.stringify(chosen?.action) === JSON.stringify(ready.action);
}

/** @param {Way} way @param {Step} step @param {(seat: number) => string} seatName */
function text({ words, value }, { about, parameter }, seatName) {
  if (words !== null) return words;
  if (about === "cards" && value?.length) return t("choice.enough");
  return valueText(value, parameter, seatName);
}
