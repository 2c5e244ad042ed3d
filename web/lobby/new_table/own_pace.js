// @ts-check
/**
 * The fields for a pace that the host defines.
 *
 * @typedef {{n: number, unit: string}} Amount
 * @typedef {"decision" | "reserve"} Kind
 * @typedef {"seconds" | "reserve" | "increment" | "cap"} Part  Fields of the API.
 * @typedef {{kind: Kind} & Record<Part, Amount>} OwnPace
 */

import { singleChoice } from "../../base/controls/single_choice.js";
import { h } from "../../base/dom.js";
import { formatDuration } from "../../base/time_format.js";
import { t } from "../../base/words.js";

/** The name, among the presets, of the pace that the host defines. */
export const OWN_PACE = "own";

/** In seconds. @type {Record<string, number>} */
const UNITS = { minutes: 60, hours: 3600, days: 86_400 };
/** The longest time that the service accepts, in seconds. */
const LONGEST = 90 * UNITS.days;

/** @type {Kind[]} */
const KINDS = ["decision", "reserve"];
/** @type {Record<Kind, Part[]>} */
const PARTS = { decision: ["seconds"], reserve: ["reserve", "increment", "cap"] };

/** The values at first. @type {OwnPace} */
export const DEFAULT_PACE = {
  kind: "decision", seconds: { n: 12, unit: "hours" },
  reserve: { n: 2, unit: "days" }, increment: { n: 6, unit: "hours" }, cap: { n: 4, unit: "days" },
};

/** The pace in the body of POST /api/games. @param {OwnPace} own */
export function paceBody(own) {
  return { kind: own.kind, ...Object.fromEntries(PARTS[own.kind].map(part => [part, secondsOf(own[part])])) };
}

/** What is wrong with a part; "" if it is valid. @param {OwnPace} own @param {Part} part */
function partError(own, part) {
  const seconds = secondsOf(own[part]);
  if (!Number.isInteger(own[part].n) || seconds <= 0) return t("pace.least");
  if (seconds > LONGEST) return t("pace.most", { time: formatDuration(LONGEST) });
  return part === "cap" && seconds < secondsOf(own.reserve) ? t("pace.cap.less") : "";
}

/** The first part that is not valid. @param {OwnPace} own */
export function firstWrongPart(own) {
  return PARTS[own.kind].find(part => partError(own, part));
}

/** @param {Amount} amount */
function secondsOf({ n, unit }) {
  return n * UNITS[unit];
}

/** @param {OwnPace} own @param {boolean} checked whether errors are shown @param {(own: OwnPace) => void} changed */
export function drawOwnPace(own, checked, changed) {
  return h("div", { className: "own-pace", key: "own" },
    singleChoice("own", t("pace.own.kind"), KINDS.map(kind => ({ value: kind, title: t(`filter.pace.${kind}`) })), own.kind, kind => changed({ ...own, kind })),
    PARTS[own.kind].map(part => drawAmount(own, part, checked ? partError(own, part) : "", changed)));
}

/** @param {OwnPace} own @param {Part} part @param {string} wrong @param {(own: OwnPace) => void} changed */
function drawAmount(own, part, wrong, changed) {
  const id = `own-${part}`;
  const label = t(`pace.own.${part}`);
  const change = (/** @type {Partial<Amount>} */ wish) => changed({ ...own, [part]: { ...own[part], ...wish } });
  return h("div", { className: "field", key: part },
    h("label", { for: id }, label),
    h("div", { className: "amount" },
      h("input", {
        id, type: "number", inputmode: "numeric", min: 1, ".value": Number.isNaN(own[part].n) ? "" : own[part].n, "aria-invalid": wrong !== "", "aria-describedby": `${id}-wrong`,
        oninput: (/** @type {any} */ event) => change({ n: event.target.valueAsNumber }),
      }),
      h("select", { "aria-label": t("pace.unit", { what: label }), ".value": own[part].unit, onchange: (/** @type {any} */ event) => change({ unit: event.target.value }) },
        Object.keys(UNITS).map(unit => h("option", { value: unit }, t(`pace.unit.${unit}`))))),
    h("p", { className: "wrong small", id: `${id}-wrong`, role: "alert" }, wrong));
}
