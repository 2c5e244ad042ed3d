// @ts-check
/**
 * The table of each game in miniature: a moment of a game as the table itself is drawn, when it comes near the window. How a
 * table is drawn lies above this.
 *
 * @typedef {(table: any) => HTMLElement} DrawTable  Draws a RulesetPicture of openapi.yaml.
 */

import { h } from "../base/dom.js";
import { language } from "../base/words.js";

/** The widths for which a table can be laid out, in pixels: the one that shows it largest is taken. */
const WIDTHS = [360, 460, 560, 680, 820];
/** How far from the window it is drawn. */
const NEAR = "400px";

/** Of all games, by the address of their file: one for each language. @type {Map<string, Promise<Record<string, any>>>} */
const pictures = new Map();

/** Where a table will be. @param {string} slug */
export function drawMiniature(slug) {
  return h("div", { className: "miniature", key: "miniature", "data-own": true, "data-table": slug, "aria-hidden": "true", inert: true });
}

/** Draws what is near the window, and the others as soon as they are. @param {HTMLElement} main @param {DrawTable} drawTable @returns {() => void} stops it */
export function watchMiniatures(main, drawTable) {
  const seen = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      fill(/** @type {HTMLElement} */ (target), drawTable);
    }
  }, { rootMargin: NEAR });
  for (const empty of main.querySelectorAll(".miniature:empty")) seen.observe(empty);
  return () => seen.disconnect();
}

/** Without an answer the place stays empty. @param {HTMLElement} place @param {DrawTable} drawTable */
async function fill(place, drawTable) {
  const slug = place.dataset.table ?? "";
  const table = await pictureOf(slug).catch(() => null);
  if (!table || !place.isConnected || place.childElementCount) return;
  const drawn = drawTable(table);
  place.append(drawn);
  scale(place, drawn);
  new ResizeObserver(() => scale(place, drawn)).observe(place); // as when a phone is turned
}

/** As large as its place allows. @param {HTMLElement} place @param {HTMLElement} drawn */
function scale(place, drawn) {
  drawn.style.removeProperty("zoom");
  const scales = WIDTHS.map(width => {
    drawn.style.inlineSize = `${width}px`;
    return Math.min(place.clientWidth / width, place.clientHeight / drawn.offsetHeight);
  });
  const largest = Math.max(...scales);
  drawn.style.inlineSize = `${WIDTHS[scales.indexOf(largest)]}px`;
  drawn.style.setProperty("zoom", String(largest));
  const over = drawn.getBoundingClientRect().height / place.clientHeight; // small text takes more than its share
  if (over > 1) drawn.style.setProperty("zoom", String(largest / over));
}

/** @param {string} slug */
async function pictureOf(slug) {
  const { [language()]: address } = JSON.parse(document.documentElement.dataset.tables ?? "{}");
  const loading = pictures.get(address) ?? fetch(address).then(answer => answer.json());
  pictures.set(address, loading);
  loading.catch(() => pictures.delete(address)); // the next one tries again
  return (await loading)[slug];
}
