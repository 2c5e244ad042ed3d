// @ts-check
/** The place of whoever uses the keyboard: when what has the focus goes away, its place in the table has it, never the page. */

const CARDS = ".hand .hand-card";

/** Remembers where the focus is. @param {HTMLElement} main @returns {() => void} to be called when the table is drawn anew */
export function keepFocus(main) {
  const held = document.activeElement;
  if (!held || held === main || !main.contains(held)) return () => {};
  const place = [...main.querySelectorAll(CARDS)].indexOf(held);
  const around = [...main.querySelectorAll("[tabindex]")].filter(each => each !== held && each.contains(held));
  return () => {
    if (canHaveFocus(held)) return;
    const cards = main.querySelectorAll(CARDS);
    const next = place >= 0 && cards.length ? cards[Math.min(place, cards.length - 1)] : (around.find(canHaveFocus) ?? main.querySelector(".status-line"));
    /** @type {HTMLElement | null} */ (next)?.focus();
  };
}

/** An element that is gone no longer lies in the page, so nothing can be asked of where it was. @param {Element} element */
function canHaveFocus(element) {
  return element.checkVisibility() && !element.matches(":disabled");
}
