// @ts-check
/** Scales: a track on which every seat or every suit stands at its number, and a meter that fills up. */

import { h, svg } from "../../base/dom.js";
import { SUITS, t } from "../../base/words.js";
import { drawSeatMark } from "../../base/seat_marks.js";
import { drawSuit } from "../card_drawings.js";

/** @typedef {import("../../base/api.js").Fact} Fact */

const WIDTH = 344;
const SIGN = 14;
const SCALE = 18;

/** @param {import("./middle.js").Laid} laid @param {import("../zones/zone_layout.js").Part} part */
export function drawTrack({ view }, { facts, numbers = {}, title = "" }) {
  const values = view.facts.filter(({ name }) => name === facts.value);
  const limit = view.facts.find(({ name }) => name === facts.limit);
  const [told, declared] = [values.map(numberOf), Number(limit?.value ?? numbers.to)];
  const [from, to] = [Math.min(numbers.from ?? 0, ...told), limit ? declared : Math.max(declared, ...told)];
  if (!values.length || !(to > from)) return null;
  const steps = to - from + (limit ? 2 : 1); // one more stands for all that is above the limit
  const step = WIDTH / steps;
  const placed = stacked(values.map(fact => ({ fact, at: Math.min(numberOf(fact) - from, steps - 1) })));
  const top = 4 + SIGN * Math.max(...placed.map(({ level }) => level + 1));
  const said = [title, ...values.map(({ words }) => words), limit?.words ?? ""].filter(Boolean).join(" ");
  return h("div", { className: "track", key: `track ${facts.value}` },
    h("p", { className: "zone-name", "aria-hidden": "true" }, title, numbers.enough !== undefined && h("span", {}, t("track.goal", { from: numbers.enough, to }))),
    svg("svg", { viewBox: `0 0 ${WIDTH} ${top + SCALE}`, role: "img", "aria-label": said },
      Array.from({ length: steps }, (_, n) => drawStep(n, step, top, from + n, { to, enough: numbers.enough, taken: placed.some(({ at }) => at === n), last: n === steps - 1 && limit !== undefined })),
      placed.map(({ fact, at, level }) => drawMarker(fact, step * (at + .5), top - SIGN * (level + 1) - 1))));
}

/** @param {Fact} fact */
function numberOf({ value }) {
  return Number.parseInt(String(value), 10);
}

/** Markers of one number stand on one another. @param {{fact: Fact, at: number}[]} markers */
function stacked(markers) {
  return markers.map((marker, n) => ({ ...marker, level: markers.slice(0, n).filter(({ at }) => at === marker.at).length }));
}

/** @param {number} n @param {number} step @param {number} top @param {number} number @param {{to: number, enough: number | undefined, taken: boolean, last: boolean}} of */
function drawStep(n, step, top, number, { to, enough, taken, last }) {
  const kind = last ? "over" : enough !== undefined && number >= enough ? "enough" : "";
  const isSaid = taken || number === enough || number === to || n === 0 || step > 18;
  return svg("g", { className: `track-step ${kind}${taken ? " taken" : ""}` },
    svg("rect", { x: n * step + .5, y: top, width: step - 1, height: SCALE - 1, rx: 2 }),
    (last || isSaid) && svg("text", { x: (n + .5) * step, y: top + SCALE - 5, "text-anchor": "middle" }, last ? "✕" : String(number)));
}

/** The mark of a seat, or the suit of what has an index. @param {Fact} fact @param {number} x @param {number} y */
function drawMarker({ of, index }, x, y) {
  const sign = of === undefined ? drawSuit(SUITS[index ?? 0]) : drawSeatMark(of);
  for (const [name, value] of Object.entries({ x: x - SIGN / 2 + 1, y, width: SIGN - 2, height: SIGN - 2 })) sign.setAttribute(name, String(value));
  return sign;
}

/**
 * How much of something there is: as many steps as it holds, or, where that is not known, as it can at most.
 * @param {number} value @param {number} most @param {boolean} [known]
 */
export function drawMeter(value, most, known = true) {
  const steps = Math.max(value, most);
  return svg("svg", { className: known ? "meter" : "meter unknown", viewBox: `0 0 ${steps * 10} 12`, "aria-hidden": "true" },
    Array.from({ length: steps }, (_, n) => svg("rect", { className: n < value ? (n < most ? "full" : "excess") : "free", x: n * 10 + 1, y: 1, width: 8, height: 10, rx: 1.5 })));
}
