// @ts-check
/**
 * The history as a list, newest first or last: what is not seen is drawn when there is time, and what is on screen and has not
 * changed is left alone.
 *
 * @typedef {import("../../base/api.js").Game} Game
 * @typedef {import("../../base/api.js").GameEvent} Event
 * @typedef {import("./sections.js").Entry} Entry
 * @typedef {import("./sections.js").Section} Section
 * @typedef {object} Shown
 * @property {Game} game
 * @property {Event[]} events oldest first
 * @property {import("../../base/api.js").Heading[]} parts  the parts of the game in which the first of them happened
 * @property {number} seen  the last event that the user has seen: later ones are marked as new
 * @property {(event: Event) => boolean} isNews  whether it is new to the user at all
 * @property {number | null} at  the event after which the table is shown
 * @property {() => void} redraw
 * @property {() => void} more  loads earlier events
 * @property {(number: number) => void} lookBack  shows the table after an event
 */

import { load, save } from "../../base/browser_storage.js";
import { h } from "../../base/dom.js";
import { toPosition } from "../../base/routes.js";
import { drawSeatMark } from "../../base/seat_marks.js";
import { formatTime } from "../../base/time_format.js";
import { language, t } from "../../base/words.js";
import { drawLine, drawSentence } from "../../cards/sentence.js";
import { sectionsOf } from "./sections.js";

/** Events of a list that never changes once it is full. */
const PAGE = 60;
/** Entries that are drawn at once, about as many as are in view, and as many again whenever there is time. */
const AT_ONCE = 12;
/** Milliseconds after which older entries are drawn at the latest. */
const LATEST = 500;
/** Milliseconds that have to be left for some more of them. */
const ENOUGH = 8;
const whenIdle = globalThis.requestIdleCallback ?? ((/** @type {IdleRequestCallback} */ run) => setTimeout(() => run({ didTimeout: true, timeRemaining: () => 0 }), 1));
/** The setting, and its value for reading from the top. */
const ORDER = "history";
const OLDEST_FIRST = "oldest";

export class HistoryList {
  /** What is still to be drawn, newest first, by the key of its list. @type {Map<string, {entries: Entry[], draw: (entry: Entry) => HTMLElement}>} */
  #undrawn = new Map();
  /** How many entries may still be drawn at once. */
  #budget = AT_ONCE;

  /** @param {Shown} shown */
  draw(shown) {
    const { game, events, parts, more, lookBack } = shown;
    const oldestFirst = load(ORDER) === OLDEST_FIRST;
    const known = new Set([...document.querySelectorAll(".history > [data-key]")].map(list => list.getAttribute("data-key")));
    this.#budget = known.size || oldestFirst ? Infinity : AT_ONCE;
    const sections = sectionsOf(events, parts, game.view?.committed ?? []).reverse()
      .map(section => [section.headings.map(drawHeading), inOrder(listsOf(section.entries).map(list => this.#drawList(shown, list, oldestFirst, known)), oldestFirst)]);
    const earlier = (events[0]?.number ?? 1) > 1 && h("button", { type: "button", key: "earlier", onclick: more }, t("history.earlier"));
    return h("div", { className: "history" },
      game.view && h("div", { className: "buttons", key: "ways" },
        h("button", { type: "button", onclick: () => lookBack(1) }, t("replay.start")),
        h("button", { type: "button", onclick: () => turnRound(oldestFirst, shown) }, t(oldestFirst ? "history.newest" : "history.oldest"))),
      game.view && drawPeople(game),
      oldestFirst && earlier,
      inOrder(sections, oldestFirst),
      !oldestFirst && earlier);
  }

  /** @param {Shown} shown @param {Entry[]} entries newest first @param {boolean} oldestFirst @param {Set<string | null>} known  the keys of the lists on screen */
  #drawList({ game, seen, isNews, at, lookBack }, entries, oldestFirst, known) {
    const numbers = entries.map(({ event }) => event.number);
    const [last, first] = [numbers[0], numbers[numbers.length - 1]];
    const told = entries.reduce((sum, { lines }) => sum + lines.length, 0);
    const news = Math.max(first - 1, Math.min(last, seen));
    const key = ["history", game.id, language(), oldestFirst, first, last, told, news, at !== null && at >= first && at <= last ? at : ""].join(" ");
    const list = (/** @type {import("../../base/dom.js").Child[]} */ ...drawn) => h("ol", { key, "data-own": true, reversed: !oldestFirst }, drawn);
    if (known.has(key)) return list();
    const draw = (/** @type {Entry} */ entry) => drawEntry(game.id, entry, entry.event.number > seen && isNews(entry.event), at === entry.event.number, lookBack);
    const later = [...entries];
    const now = later.splice(0, this.#budget);
    this.#budget -= now.length;
    if (later.length) {
      if (!this.#undrawn.size) whenIdle(this.#drawSome, { timeout: LATEST });
      this.#undrawn.set(key, { entries: later, draw });
    }
    return list(inOrder(now, oldestFirst).map(draw));
  }

  /** Draws what is left, the newest first, as long as there is time; lists that are no longer on screen are forgotten. @type {IdleRequestCallback} */
  #drawSome = deadline => {
    for (const [key, { entries, draw }] of this.#undrawn) {
      const list = document.querySelector(`.history > [data-key="${CSS.escape(key)}"]`);
      list?.append(...entries.splice(0, AT_ONCE).map(draw));
      if (!list || !entries.length) this.#undrawn.delete(key);
      if (deadline.timeRemaining() < ENOUGH) break;
    }
    if (this.#undrawn.size) whenIdle(this.#drawSome, { timeout: LATEST });
  };
}

/** @template T @param {T[]} newestFirst @param {boolean} oldestFirst @returns {T[]} */
function inOrder(newestFirst, oldestFirst) {
  return oldestFirst ? newestFirst.reverse() : newestFirst;
}

/** Keeps the order that the user likes, and shows the newest entries in it. @param {boolean} oldestFirst  what it was @param {Shown} shown */
function turnRound(oldestFirst, { redraw }) {
  save(ORDER, oldestFirst ? null : OLDEST_FIRST);
  redraw();
  const panel = document.querySelector(".side-panel-body");
  panel?.scrollTo(0, oldestFirst ? 0 : panel.scrollHeight);
}

/**
 * Whoever reads downwards, and has not scrolled away from the end, sees there what is new.
 * @param {HTMLElement} main @returns {() => void} to be called when the table is drawn anew
 */
export function followNewest(main) {
  const panel = () => main.querySelector(".side-panel-body:has(.history)");
  const before = panel();
  const isAtEnd = !before || before.scrollTop + before.clientHeight >= before.scrollHeight - 4;
  return () => {
    const after = panel();
    if (after && isAtEnd && load(ORDER) === OLDEST_FIRST) after.scrollTop = after.scrollHeight;
  };
}

/** Who is meant by which mark, and who of them is a program: said once, not with every name. @param {Game} game */
function drawPeople({ seats }) {
  return h("p", { className: "who", key: "who" }, seats.map(({ seat, name, program, you }) =>
    h("span", {}, seat !== null && drawSeatMark(seat), name,
      program && h("span", { role: "img", "aria-label": program.words, title: program.words }, " ⚙"),
      you && h("span", { className: "tag" }, t("seat.you")))));
}

/** @param {import("../../base/api.js").Heading} heading */
function drawHeading(heading) {
  return h("h3", { className: heading.depth ? "inner" : "" }, drawSentence(heading));
}

/** The entries of a section, newest first, in lists of which only the newest changes. @param {Entry[]} entries oldest first @returns {Entry[][]} newest first */
function listsOf(entries) {
  /** @type {Map<number, Entry[]>} */
  const lists = new Map();
  for (const entry of entries) {
    const page = Math.floor((entry.event.number - 1) / PAGE);
    lists.set(page, [entry, ...(lists.get(page) ?? [])]);
  }
  return [...lists.values()].reverse();
}

/** @param {string} id of the game @param {Entry} entry @param {boolean} isNew @param {boolean} isShown @param {(number: number) => void} lookBack */
function drawEntry(id, { event: { number, at }, lines }, isNew, isShown, lookBack) {
  const clicked = (/** @type {MouseEvent} */ click) => {
    click.preventDefault();
    lookBack(number);
  };
  return h("li", { key: String(number), className: isNew ? "new" : "", "aria-current": isShown ? "step" : null },
    h("a", { href: toPosition(id, number), onclick: clicked, "aria-label": t("replay.here", { time: formatTime(at) }) }, h("time", { datetime: at }, formatTime(at))),
    lines.map(drawLine));
}
