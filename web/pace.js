// @ts-check
/**
 * How fast a table is: a pace in words, and one that the host makes up.
 *
 * @typedef {import("./api.js").Pace} Pace
 * @typedef {{n: number, unit: string}} Amount
 * @typedef {"decision" | "reserve"} Kind
 * @typedef {"seconds" | "reserve" | "increment" | "cap"} Part  As the service calls them.
 * @typedef {{kind: Kind} & Record<Part, Amount>} Own
 */

import { h } from "./dom.js";
import { question } from "./form.js";
import { span } from "./time.js";
import { t } from "./words.js";

/** What a pace of one's own is called among the presets. */
export const OWN = "own";

/** Seconds. @type {Record<string, number>} */
const UNITS = { minutes: 60, hours: 3600, days: 86_400 };
/** The longest time that the service takes, in seconds. */
const MOST = 90 * UNITS.days;

/** @type {Kind[]} */
const KINDS = ["decision", "reserve"];
/** @type {Record<Kind, Part[]>} */
const PARTS = { decision: ["seconds"], reserve: ["reserve", "increment", "cap"] };

/** What stands there at first. @type {Own} */
export const USUAL = {
  kind: "decision", seconds: { n: 12, unit: "hours" },
  reserve: { n: 2, unit: "days" }, increment: { n: 6, unit: "hours" }, cap: { n: 4, unit: "days" },
};

/** A pace in a few words, also one without a name. @param {Pace} pace */
export function paceName({ preset, kind, words, seconds = 0, reserve = 0, increment = 0 }) {
  if (preset) return words;
  return t(`pace.${kind}`, { each: span(seconds), reserve: span(reserve), increment: span(increment) });
}

/** A pace in full: its name, and what it means where that says more. @param {Pace} pace */
export function paceText({ preset, words, detail }) {
  return preset ? t("open.pace.each", { words, detail }) : detail;
}

/** What POST /api/games takes. @param {Own} own */
export function paceOf(own) {
  return { kind: own.kind, ...Object.fromEntries(PARTS[own.kind].map(part => [part, secondsOf(own[part])])) };
}

/** What is wrong with a part of it; "" if nothing is. @param {Own} own @param {Part} part */
function wrongWith(own, part) {
  const seconds = secondsOf(own[part]);
  if (!Number.isInteger(own[part].n) || seconds <= 0) return t("pace.least");
  if (seconds > MOST) return t("pace.most", { time: span(MOST) });
  return part === "cap" && seconds < secondsOf(own.reserve) ? t("pace.cap.less") : "";
}

/** The first part that cannot be taken as it is. @param {Own} own */
export function firstWrong(own) {
  return PARTS[own.kind].find(part => wrongWith(own, part));
}

/** @param {Amount} amount */
function secondsOf({ n, unit }) {
  return n * UNITS[unit];
}

/** @param {Own} own @param {boolean} checked whether what is wrong is told @param {(own: Own) => void} changed */
export function drawOwn(own, checked, changed) {
  return h("div", { className: "own-pace", key: "own" },
    question("own", t("pace.own.kind"), KINDS.map(kind => ({ value: kind, title: t(`filter.pace.${kind}`) })), own.kind, kind => changed({ ...own, kind })),
    PARTS[own.kind].map(part => amount(own, part, checked ? wrongWith(own, part) : "", changed)));
}

/** @param {Own} own @param {Part} part @param {string} wrong @param {(own: Own) => void} changed */
function amount(own, part, wrong, changed) {
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
