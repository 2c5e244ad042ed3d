// @ts-check
/** Dragging a card from the hand to a spot on the table, which chooses both. Dropped on the middle it is only picked, elsewhere put back. */

import { h } from "../../base/dom.js";

/** Pixels that a pointer moves before it drags. */
const LEAST = 8;

/** Listens until the returned function is called. @returns {() => void} */
export function listenForDrags() {
  /** @type {{card: HTMLElement, x: number, y: number, picture: HTMLElement | null, picked: boolean} | null} */
  let drag = null;

  /** @param {PointerEvent} event */
  function pressed({ target, clientX: x, clientY: y, button, isPrimary }) {
    const card = /** @type {Element} */ (target).closest?.(".hand-card:not([aria-disabled=true])");
    if (card && button === 0 && isPrimary) drag = { card: /** @type {HTMLElement} */ (card), x, y, picture: null, picked: false };
  }

  /** @param {PointerEvent} event */
  function moved({ clientX, clientY }) {
    if (!drag) return;
    if (!drag.picture && Math.hypot(clientX - drag.x, clientY - drag.y) < LEAST) return;
    if (!drag.picture) lift(drag);
    drag.picture?.style.setProperty("translate", `${clientX}px ${clientY}px`);
    const over = spotAt(clientX, clientY);
    for (const each of document.querySelectorAll(".spot.over")) if (each !== over) each.classList.remove("over");
    over?.classList.add("over");
  }

  /** @param {PointerEvent} event */
  function released({ type, clientX, clientY }) {
    if (!drag?.picture) {
      drag = null;
      return;
    }
    const { card, picture, picked } = drag;
    drag = null;
    picture.remove();
    const over = type === "pointerup" ? spotAt(clientX, clientY) : null;
    over?.classList.remove("over");
    if (over && over.getAttribute("aria-pressed") !== "true") over.click();
    else if (!over && picked && (type !== "pointerup" || !isMiddle(clientX, clientY))) card.click();
    swallowClick();
  }

  /** @type {[string, (event: any) => void][]} */
  const listeners = [["pointerdown", pressed], ["pointermove", moved], ["pointerup", released], ["pointercancel", released]];
  for (const [name, listener] of listeners) document.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of listeners) document.removeEventListener(name, listener);
    drag?.picture?.remove();
  };
}

/** Picks the card, unless it is picked, and shows it under the pointer. @param {{card: HTMLElement, picture: HTMLElement | null, picked: boolean}} drag */
function lift(drag) {
  const { card } = drag;
  drag.picture = h("div", { className: "dragged", "aria-hidden": "true" }, card.firstElementChild?.cloneNode(true));
  drag.picture.style.inlineSize = `${card.clientWidth}px`;
  document.body.append(drag.picture);
  drag.picked = card.getAttribute("aria-pressed") !== "true";
  if (drag.picked) card.click();
}

/** @param {number} x @param {number} y @returns {HTMLElement | null} */
function spotAt(x, y) {
  return document.elementFromPoint(x, y)?.closest("[data-spot]") ?? null;
}

/** @param {number} x @param {number} y */
function isMiddle(x, y) {
  return document.elementFromPoint(x, y)?.closest(".play") !== null && !document.elementFromPoint(x, y)?.closest(".bottom-panel");
}

/** The end of a drag is a click for the browser, if it is where the drag began. */
function swallowClick() {
  const swallow = (/** @type {MouseEvent} */ event) => event.isTrusted && event.stopPropagation();
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
}
