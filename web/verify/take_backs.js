// @ts-check
/** Checks what a record says was taken back, as far as that can be told without the rules. */

/**
 * The number of the first event that takes back what cannot be taken back, or that is missing its others; null if there is none.
 * @param {any[]} events @returns {number | null}
 */
export function wrongTakeBack(events) {
  const began = new Map(); // of who has each seat
  /** The actions that stand since the last shuffle. @type {any[]} */
  let standing = [];
  /** The seat that takes back what others did as well, until that is complete. @type {number | null} */
  let undoing = null;
  for (const event of events) {
    const { kind, number, seat, why } = event;
    if (undoing !== null && !(kind === "void" && seat === undoing && why === "agreed")) return number;
    if (kind === "action") standing.push(event);
    if (kind === "chance" || kind === "clock" || kind === "version") standing = [];
    if (kind === "handover") began.set(seat, number);
    if (kind === "void") {
      const at = standing.findIndex(each => each.number === event.event);
      if (at < 0 || !isAllowed(event, standing[at], standing.slice(at + 1), began.get(seat) ?? 0)) return number;
      undoing = standing[at].seat === seat ? null : seat;
      standing.splice(at, 1);
    }
  }
  return undoing === null ? null : events.length;
}

/**
 * Whether an action may be taken back after these later ones, by who has had the seat since event `began`.
 * @param {any} event @param {any} action @param {any[]} later @param {number} began
 */
function isAllowed({ seat, why }, action, later, began) {
  const isOwn = action.seat === seat && action.by === "seat" && action.number > began;
  if (why === "free") return isOwn && later.every(each => each.seat !== seat);
  return why === "agreed" && !later.length && (isOwn || action.seat !== seat);
}
