// @ts-check
/**
 * The history as it is read: by deal, round and trick, without what a heading or a later line says better. Plain pages and
 * mails do the same (told_history.py).
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").GameEvent} Event
 * @typedef {import("../../base/api.js").Heading} Heading
 * @typedef {import("../../base/api.js").Line} Line
 * @typedef {{event: Event, lines: Line[]}} Entry  An event, as far as it happened in one part of the game.
 * @typedef {{headings: Heading[], entries: Entry[]}} Section
 */

/** The line that says of a seat that it has chosen in secret: once that is open, other lines tell what it was. */
export const CHOSEN = "chosen";

/** @param {Event[]} events oldest first @param {Heading[]} parts  those in which the first one happened @param {number[]} committed  the seats whose choice is still sealed @returns {Section[]} */
export function sectionsOf(events, parts, committed) {
  const sealed = lastChoices(events, committed);
  /** @type {Section[]} */
  const found = [{ headings: parts, entries: [] }];
  for (const event of events) {
    for (const { headings, lines } of piecesOf(event)) {
      if (headings.length) found.push({ headings: above(found[found.length - 1], headings), entries: [] });
      const told = lines.filter(line => isTold(line, event, sealed));
      if (told.length) found[found.length - 1].entries.push({ event, lines: told });
    }
  }
  return found.filter(({ entries }, n) => entries.length > 0 || n === found.length - 1);
}

/** What a history tells of each event, oldest first; events of which all is said elsewhere are left out. @param {Event[]} events @param {number[]} committed  the seats whose choice is still sealed @returns {Entry[]} */
export function toldOf(events, committed) {
  const sealed = lastChoices(events, committed);
  return events.map(event => ({ event, lines: event.lines.filter(line => isTold(line, event, sealed)) })).filter(({ lines }) => lines.length > 0);
}

/** @param {Line} line @param {Event} event @param {Map<number | undefined, number>} sealed */
function isTold({ line, seat, repeats }, event, sealed) {
  return line === CHOSEN ? sealed.get(seat) === event.number : !repeats;
}

/** The events of the choices that are still sealed, by seat. @param {Event[]} events @param {number[]} committed @returns {Map<number | undefined, number>} */
function lastChoices(events, committed) {
  return new Map(events.flatMap(({ number, lines }) => lines.filter(({ line, seat }) => line === CHOSEN && committed.includes(seat ?? -1)).map(({ seat }) => [seat, number])));
}

/** The lines of an event below each of its headings, those above the first one without any. @param {Event} event @returns {{headings: Heading[], lines: Line[]}[]} */
function piecesOf({ lines, headings = [] }) {
  const places = [...new Set(headings.map(({ above: at = 0 }) => at))].sort((one, another) => one - another);
  const below = places.map((place, n) => ({ headings: headings.filter(heading => heading.above === place), lines: lines.slice(place, places[n + 1]) }));
  return [{ headings: [], lines: lines.slice(0, places[0]) }, ...below];
}

/** The headings of a section, with those of larger parts in which nothing has happened yet. @param {Section} before @param {Heading[]} headings @returns {Heading[]} */
function above(before, headings) {
  if (before.entries.length) return headings;
  return [...before.headings.filter(({ depth }) => depth < headings[0].depth), ...headings];
}
