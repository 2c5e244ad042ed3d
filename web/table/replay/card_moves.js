// @ts-check
/**
 * Cards that move: whoever looks on sees where a card came from. Each is drawn at its new place and travels there from the old
 * one, or from the seat of whoever moved it if it was not seen before, one player's after another's; not at all for people
 * who asked for less motion.
 *
 * @typedef {import("../../base/api.js").GameEvent} GameEvent
 * @typedef {{box: DOMRect, zone: string}} Place
 * @typedef {Map<string, Place[]>} Whereabouts  Where the cards are that are seen, by code: some games have several alike.
 */

/** Milliseconds for which a card travels, and after which those of the next player follow. */
const TRAVELS = 400;
const FOLLOWS = 250;
/** The most cards that travel: a new deal is not followed card by card. */
const FOLLOWED = 8;

/** @param {HTMLElement} main @returns {Whereabouts} */
export function findCards(main) {
  /** @type {Whereabouts} */
  const found = new Map();
  for (const card of cardsIn(main)) found.set(card.dataset.code ?? "", [...(found.get(card.dataset.code ?? "") ?? []), placeOf(card)]);
  return found;
}

/** @param {HTMLElement} main @param {Whereabouts} before  where cards were @param {GameEvent | undefined} event  what moved them @returns {number} milliseconds for which they travel */
export function glide(main, before, event) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return 0;
  const gone = new Map([...before].map(([code, places]) => [code, [...places]]));
  const cards = cardsIn(main).map(card => ({ card, now: placeOf(card) }));
  const moved = cards.filter(({ card, now }) => !takeFrom(gone.get(card.dataset.code ?? ""), now));
  if (moved.length > FOLLOWED) return 0;
  /** @type {(number | null)[]} */
  const movers = [];
  for (const { card, now: { box, zone } } of moved) {
    const code = card.dataset.code ?? "";
    const mover = moverOf(code, event);
    const seat = mover === null || zone.startsWith(`seat ${mover}`) ? null : main.querySelector(`.seat[data-key="seat ${mover}"]`);
    const from = gone.get(code)?.shift()?.box ?? seat?.getBoundingClientRect() ?? null;
    if (!from) continue;
    if (!movers.includes(mover)) movers.push(mover);
    // A card that began half beyond the edge would make the whole page wider while it travels.
    const left = Math.min(from.left, document.documentElement.clientWidth - box.width);
    const delay = movers.indexOf(mover) * FOLLOWS;
    card.animate([{ transform: `translate(${left - box.left}px, ${from.top - box.top}px)` }, { transform: "none" }], { duration: TRAVELS, delay, easing: "ease-out", fill: "backwards" });
  }
  return movers.length ? TRAVELS + (movers.length - 1) * FOLLOWS : 0;
}

/** Who moved a card: whose choice it was, whom a line names with it, or whoever acted. @param {string} code @param {GameEvent | undefined} event @returns {number | null} */
function moverOf(code, event) {
  if (!event) return null;
  const names = (/** @type {any} */ told) => JSON.stringify(told).includes(`"${code}"`);
  const chosen = event.opened?.find(({ action }) => names(action));
  const line = event.lines.find(each => "seat" in each && names({ ...each, words: "" }));
  return chosen?.seat ?? line?.seat ?? event.seat ?? null;
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
