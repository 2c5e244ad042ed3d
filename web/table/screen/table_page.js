// @ts-check
/** The page of a table: draws it, and listens to keys, drags and the window as long as it is shown. */

import { isSoon } from "../../time/deadlines.js";
import { listenForDrags } from "../choosing/dragging.js";
import { Table } from "../state/table.js";
import { listenForKeys } from "./keyboard_shortcuts.js";
import { drawDrawer, drawScreen } from "./screen.js";

/** Milliseconds after which "in 5 minutes" and the like are redrawn; sooner while seconds are shown. */
const REDRAW_AFTER = 20_000;
const REDRAW_SECONDS_AFTER = 900;
/** Milliseconds after which to look whether that is due. */
const TICK = 1000;

/**
 * @param {HTMLElement} main @param {() => HTMLElement[]} browserSettings  controls for language and theme @param {string} id
 * @param {number | null} at  the event after which the table is shown; null: the present
 * @param {string} panel the tab of the side panel that is open; "" for none @returns {() => void} stops it
 */
export function tablePage(main, browserSettings, id, at, panel) {
  const table = new Table(main, id, { screen: drawScreen, drawer: drawDrawer }, browserSettings, at, panel);
  const redraw = () => table.redraw(); // the side panel may have come into sight
  addEventListener("resize", redraw);
  const unlisten = listenForKeys({
    undo: () => table.action.undo(),
    startOver: () => table.startOver(),
    confirm: () => table.happened.goOn() || table.happened.hasJustPassed || (table.replay.at === null && table.action.confirm()),
    step: events => table.game !== null && table.replay.step(table.game, events),
  });
  table.whenStopped(unlisten, listenForDrags(), redrawWithTime(table), () => removeEventListener("resize", redraw));
  return () => table.stop();
}

/** "In 5 minutes" becomes "in 4". @param {Table} table @returns {() => void} stops it */
function redrawWithTime(table) {
  const ticking = setInterval(() => {
    const { game, drawnAt } = table;
    const after = game?.waiting.some(({ due }) => isSoon(due)) ? REDRAW_SECONDS_AFTER : REDRAW_AFTER;
    if (!document.hidden && game?.status !== "over" && Date.now() - drawnAt > after) table.redraw();
  }, TICK);
  return () => clearInterval(ticking);
}
