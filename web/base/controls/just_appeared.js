// @ts-check
/**
 * What has just appeared takes no click: whoever clicks twice, or holds a key, meant what was there before.
 *
 * A dialog, a menu or a screen is settled some time after it has appeared, or as soon as the user has done something in it that
 * is no click: typed, or moved the focus. And wherever something is clicked, whatever takes its place under the pointer is
 * settled as late. A key that repeats by itself presses no button, nor does one that is pressed twice press what came between.
 */

/** Milliseconds after which it is settled. */
export const SETTLED_AFTER = 400;
/** Pixels by which a hand moves between two clicks of a double click. */
const SAME_PLACE = 8;
const MARK = "data-appearing";
const UNASKED = "unasked";
const CONTROLS = "button, a[href], summary, input, select, textarea, label, [data-control], [role=button]";
const PRESSES = ["Enter", " "];

/** The last click that was let through: when and where it was, and what was there. @type {{at: number, x: number, y: number, scrolled: number, control: Element | null, is: string}} */
let last = { at: -SETTLED_AFTER, x: 0, y: 0, scrolled: 0, control: null, is: "" };

/** When Enter or space was pressed last. */
let pressed = { key: "", at: -SETTLED_AFTER };

/** Lets an element that appears now take no click for a moment; one that came unasked no key either. @param {Element} element @param {number} [since]  when it appeared, in milliseconds since the document began @param {boolean} [isUnasked] */
export function justAppeared(element, since = now(), isUnasked = false) {
  const left = since + SETTLED_AFTER - now();
  if (left <= 0) return;
  element.setAttribute(MARK, isUnasked ? UNASKED : "");
  const settle = () => element.removeAttribute(MARK);
  element.addEventListener("input", settle, { once: true });
  element.animate([], left).onfinish = settle; // by the time of frames: what nobody sees appears later
}

/** Milliseconds since the document began, as events have them. */
function now() {
  return Number(document.timeline.currentTime ?? 0);
}

/** Watches every click and key of the page. */
export function guardClicks() {
  document.addEventListener("click", onClick, { capture: true });
  document.addEventListener("keydown", onKey, { capture: true });
  document.addEventListener("beforetoggle", onToggle, { capture: true });
}

/** A menu opens. @param {Event} event */
function onToggle(event) {
  const { newState, target } = /** @type {ToggleEvent} */ (event);
  if (newState === "open" && target instanceof HTMLElement) justAppeared(target);
}

/** @param {MouseEvent} event */
function onClick(event) {
  if (!event.isTrusted || !(event.target instanceof Element)) return;
  const byPointer = event.detail > 0; // keys click too
  if (!byPointer) return;
  if (event.target.closest(`[${MARK}]`) || isAnother(event)) holdBack(event); // and it counts for nothing: the next one may be meant
  else remember(event);
}

/** What has come under the pointer by the next frame takes no click either. */
function lookAgain() {
  requestAnimationFrame(() => {
    const control = document.elementFromPoint(last.x, last.y)?.closest(CONTROLS);
    const isAsBefore = scrollY !== last.scrolled || control === last.control || control?.contains(last.control);
    if (control && last.control && !isAsBefore) justAppeared(control, last.at);
  });
}

/** Whether this is the next click of a double click, and something else has come under the pointer. @param {MouseEvent} event */
function isAnother(event) {
  const control = controlAt(event);
  const isNext = event.timeStamp - last.at < SETTLED_AFTER && Math.hypot(event.clientX - last.x, event.clientY - last.y) <= SAME_PLACE;
  return isNext && scrollY === last.scrolled && control !== null && !(control === last.control && describe(control) === last.is);
}

/** Keeps in mind what was clicked; what takes its place is not there yet. @param {MouseEvent} event */
function remember(event) {
  const control = controlAt(event);
  last = { at: event.timeStamp, x: event.clientX, y: event.clientY, scrolled: scrollY, control, is: control ? describe(control) : "" };
  lookAgain();
}

/** What a click is meant for; of a label, the control that it names, which is clicked with it. @param {Event} event @returns {Element | null} */
function controlAt({ target }) {
  const found = /** @type {Element} */ (target).closest(CONTROLS);
  return found instanceof HTMLLabelElement ? (found.control ?? found) : found;
}

/** What a control is: an element can become another one in place. Numbers in it may change. @param {Element} control */
function describe(control) {
  const { id = "", dataset = {} } = /** @type {any} */ (control);
  return [control.tagName, id, dataset.key ?? (control.getAttribute("aria-label") ?? control.textContent ?? "").replace(/\d+/g, "")].join(" ");
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (!event.isTrusted || !(event.target instanceof Element)) return;
  if (!PRESSES.includes(event.key)) return event.ctrlKey || event.altKey || event.metaKey ? undefined : settleAll();
  const isSecond = event.key === pressed.key && event.timeStamp - pressed.at < SETTLED_AFTER;
  pressed = { key: event.key, at: event.timeStamp };
  const types = event.target.matches("textarea, select, input:not([type=checkbox], [type=radio])") && (event.key === " " || event.target.matches("textarea"));
  const presses = !types && event.target.closest(CONTROLS); // else space scrolls
  const isEarly = event.target.closest(isSecond ? `[${MARK}]` : `[${MARK}=${UNASKED}]`);
  if (presses && (event.repeat || isEarly)) holdBack(event);
}

/** Whoever presses another key sees what is there: the next click is no second one. */
function settleAll() {
  last.at = -SETTLED_AFTER;
  for (const element of document.querySelectorAll(`[${MARK}]`)) element.removeAttribute(MARK);
}

/** @param {Event} event */
function holdBack(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
