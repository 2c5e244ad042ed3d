// @ts-check
/**
 * The prospects of the user's seat at each decision, as a curve that can be touched; a slider below it is for keys and screen readers.
 *
 * @typedef {import("./analysis.js").Decision} Decision
 */

import { h, svg } from "../../base/dom.js";
import { t } from "../../base/words.js";

const [WIDTH, HEIGHT, MARGIN] = [320, 120, 10];

/** @param {Decision[]} decisions @param {number} at the decision that is shown @param {number[]} turningPoints @param {(at: number) => void} goTo */
export function drawCurve(decisions, at, turningPoints, goTo) {
  const of = decisions.length;
  const touched = (/** @type {MouseEvent} */ { clientX, currentTarget }) => {
    const { left, width } = /** @type {Element} */ (currentTarget).getBoundingClientRect();
    goTo(placeAt((clientX - left) / width * WIDTH, of));
  };
  const chosen = (/** @type {Event} */ { target }) => goTo(Number(/** @type {HTMLInputElement} */ (target).value) - 1);
  return h("figure", { className: "curve", key: "curve" },
    h("figcaption", { className: "small" }, t("analysis.curve")),
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: "100%", fill: "none", stroke: "currentColor", "stroke-width": 2, cursor: "pointer", "aria-hidden": "true", onclick: touched },
      [0, .5, 1].map(worth => svg("line", { stroke: "var(--line)", "stroke-width": 1, x1: 0, x2: WIDTH, y1: y(worth), y2: y(worth) })),
      svg("line", { stroke: "var(--edge)", "stroke-dasharray": 3, x1: x(at, of), x2: x(at, of), y1: 0, y2: HEIGHT }),
      svg("polyline", { points: decisions.map(({ worth, cost }, n) => `${x(n, of)},${y(worth - cost)}`).join(" ") }),
      decisions.map((each, n) => drawPoint(each, x(n, of), turningPoints.includes(each.number)))),
    of > 1 && h("input", { type: "range", min: 1, max: of, ".value": at + 1, "aria-label": t("analysis.slider"), "aria-valuetext": t("analysis.decision", { n: at + 1, of }), oninput: chosen }));
}

/** What the position was worth, and below, if that is less, what is left of it. @param {Decision} decision @param {number} left @param {boolean} isTurning */
function drawPoint({ worth, cost }, left, isTurning) {
  const colour = isTurning ? "var(--seal)" : "currentColor";
  return [
    cost > 0 && svg("line", { stroke: colour, x1: left, x2: left, y1: y(worth), y2: y(worth - cost) }),
    svg("circle", { stroke: colour, fill: colour, cx: left, cy: y(worth - cost), r: isTurning ? 5 : 2 })];
}

/** @param {number} n @param {number} of */
function x(n, of) {
  return of > 1 ? MARGIN + n / (of - 1) * (WIDTH - 2 * MARGIN) : WIDTH / 2;
}

/** @param {number} worth from 0 to 1 */
function y(worth) {
  return MARGIN + (1 - worth) * (HEIGHT - 2 * MARGIN);
}

/** The decision that is nearest to where the curve was touched. @param {number} left @param {number} of */
function placeAt(left, of) {
  const place = Math.round((left - MARGIN) / (WIDTH - 2 * MARGIN) * (of - 1));
  return Math.min(of - 1, Math.max(0, place));
}
