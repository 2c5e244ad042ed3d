// @ts-check
/** Keyboard shortcuts: arrows move, also through an earlier game, space selects, enter confirms, backspace takes back a step, escape starts over, `?` lists them. */

import { SETTLED_AFTER } from "../../base/controls/just_appeared.js";
import { openLate } from "../../base/controls/late_part.js";
import { loadAllWords } from "../../base/words.js";

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** What holds controls that belong together, and by how much farther off everything else counts: pixels. */
const LISTS = "ul, .options";
const ELSEWHERE = 10_000;

/** By how many events these keys move through an earlier game. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/**
 * Listens until the returned function is called.
 * @param {{undo: () => void, startOver: () => void, confirm: () => boolean, step: (events: number) => boolean}} way  `confirm` says whether there was something to confirm, `step` whether an earlier table is shown
 * @returns {() => void}
 */
export function listenForKeys({ undo, startOver, confirm, step }) {
  /** When Enter was pressed last. */
  let enteredAt = -SETTLED_AFTER;

  /** Whoever presses Enter twice meant what the first one chose: it is not confirmed by that. @param {KeyboardEvent} event @param {Element | null} at */
  function entered(event, at) {
    const isSecond = event.repeat || event.timeStamp - enteredAt < SETTLED_AFTER;
    enteredAt = event.timeStamp;
    if (at?.closest(".side-panel") || (at?.closest("button, a, summary") && !at.matches("[aria-pressed=true]"))) return;
    if (isSecond || confirm()) event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const at = document.activeElement;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || document.querySelector(":popover-open") || at?.closest("dialog, input:not([type=checkbox]), select, textarea")) return;
    if (event.key in STEPS && step(STEPS[event.key])) event.preventDefault();
    else if (event.key in ARROWS && (at === document.body || at?.closest("main"))) moveFocus(event, at);
    else if (event.key === "Backspace") undo();
    else if (event.key === "Escape") startOver();
    else if (event.key === "?") showHelp();
    else if (event.key === "Enter") entered(event, at);
  }
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

/** Moves focus to the nearest control in the direction of an arrow key. @param {KeyboardEvent} event @param {Element | null} from */
function moveFocus(event, from) {
  const controls = [...document.querySelectorAll("main [data-control]:not(:disabled)")];
  if (!controls.length) return;
  event.preventDefault();
  const here = from?.matches("[data-control]") ? from : null;
  const [right, down] = ARROWS[event.key];
  const target = here ? nearest(here, controls, right, down) : controls[0];
  if (target) /** @type {HTMLElement} */ (target).focus();
}

/**
 * What lies straight ahead in the same list comes first: no card of a hand is passed over. Then what lies straight ahead,
 * however small, before what lies aside, and last what lies beside it, such as a card of the next row that is a little out of
 * line. Of what lies around it the far edge counts: a seat comes after its cards.
 * @param {Element} here @param {Element[]} controls @param {number} right @param {number} down
 */
function nearest(here, controls, right, down) {
  const from = here.getBoundingClientRect();
  const list = here.closest(LISTS);
  let best = null;
  let least = Infinity;
  for (const each of controls) {
    const to = each.getBoundingClientRect();
    const [dx, dy] = middle(to).map((value, axis) => value - middle(from)[axis]);
    const aside = right ? between(from.top, from.bottom, to.top, to.bottom) : between(from.left, from.right, to.left, to.right);
    const elsewhere = aside || !list || each.closest(LISTS) !== list ? ELSEWHERE : 0;
    const ahead = dx * right + dy * down;
    const beyond = surrounds(to, from) ? (right ? to.width : to.height) / 2 : 0;
    const beside = aside && ahead < (right ? from.width : from.height) / 2 ? ELSEWHERE : 0;
    const far = ahead + beyond + 3 * aside + 0.1 * Math.abs(right ? dy : dx) + elsewhere + beside;
    if (each !== here && ahead > 1 && far < least) [best, least] = [each, far];
  }
  return best;
}

/** The room between two spans; none where they overlap. @param {number} start @param {number} end @param {number} otherStart @param {number} otherEnd */
function between(start, end, otherStart, otherEnd) {
  return Math.max(0, otherStart - end, start - otherEnd);
}

/** @param {DOMRect} outer @param {DOMRect} inner */
function surrounds(outer, inner) {
  return outer.left <= inner.left && outer.right >= inner.right && outer.top <= inner.top && outer.bottom >= inner.bottom;
}

/** @param {DOMRect} box */
function middle({ left, top, width, height }) {
  return [left + width / 2, top + height / 2];
}

/** Loads the list, which few ask for. */
function showHelp() {
  openLate(() => Promise.all([import("../../rules_page/shortcuts_dialog.js"), loadAllWords()]), ([help]) => help.showShortcuts());
}
