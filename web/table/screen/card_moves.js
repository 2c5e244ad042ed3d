// @ts-check
/**
 * Cards that move: whoever looks on sees where a card came from. Each is drawn at its new place and glides there from the old
 * one, or from the seat that acted if it was not seen before; not at all for people who asked for less motion.
 *
 * @typedef {{box: DOMRect, zone: string}} Place
 * @typedef {Map<string, Place[]>} Whereabouts  Where the cards are that are seen, by code: some games have several alike.
 */

/** Milliseconds. */
const GLIDE = 180;
/** The most cards that glide at once: a new deal is not followed card by card. */
const FOLLOWED = 8;

/** @param {HTMLElement} main @returns {Whereabouts} */
export function findCards(main) {
  /** @type {Whereabouts} */
  const found = new Map();
  for (const card of cardsIn(main)) found.set(card.dataset.code ?? "", [...(found.get(card.dataset.code ?? "") ?? []), placeOf(card)]);
  return found;
}

/** @param {HTMLElement} main @param {Whereabouts} before  where cards were @param {number | null} actor  the seat that acted last */
export function glide(main, before, actor) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const gone = new Map([...before].map(([code, places]) => [code, [...places]]));
  const seat = actor === null ? null : (main.querySelector(`.seat[data-key="seat ${actor}"]`)?.getBoundingClientRect() ?? null);
  const cards = cardsIn(main).map(card => ({ card, now: placeOf(card) }));
  const moved = cards.filter(({ card, now }) => !takeFrom(gone.get(card.dataset.code ?? ""), now));
  if (moved.length > FOLLOWED) return;
  for (const { card, now: { box } } of moved) {
    const from = gone.get(card.dataset.code ?? "")?.shift()?.box ?? seat;
    // A card that began half beyond the edge would make the whole page wider while it glides.
    const left = from && Math.min(from.left, document.documentElement.clientWidth - box.width);
    if (from && left !== null) card.animate([{ transform: `translate(${left - box.left}px, ${from.top - box.top}px)` }, { transform: "none" }], { duration: GLIDE, easing: "ease-out" });
  }
}

/** @param {HTMLElement} card @returns {Place} */
function placeOf(card) {
  return { box: card.getBoundingClientRect(), zone: /** @type {HTMLElement | null} */ (card.closest(".zone, .hand"))?.dataset.key ?? "" };
}

/** Whether one of these cards lay in the same zone; it is taken out. @param {Place[] | undefined} places @param {Place} now */
function takeFrom(places, now) {
  const at = places?.findIndex(({ zone }) => zone === now.zone) ?? -1;
  if (at >= 0) places?.splice(at, 1);
  return at >= 0;
}

/** @param {HTMLElement} main @returns {HTMLElement[]} */
function cardsIn(main) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll(".play [data-code]"))].filter(card => card.offsetParent !== null && !card.closest(".ghost, .option, .missed"));
}
