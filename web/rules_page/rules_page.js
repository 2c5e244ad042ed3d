// @ts-check
/** The page with a game's rules: to play on top, and their worked turn on the table. */

import { loadOrShowNothing } from "../base/controls/nothing_here.js";
import { setTitle } from "../base/controls/title_and_icon.js";
import { attempt } from "../base/controls/toasts.js";
import { h } from "../base/dom.js";
import { toPuzzles } from "../base/routes.js";
import { t } from "../base/words.js";
import { drawStamp } from "../cards/stamp.js";
import { drawLessonButton } from "./lesson.js";
import { fetchRules, takeArrived } from "./rules.js";
import { showWorkedTurn } from "./worked_turn.js";

/**
 * The page with a game's rules. Its worked turn is played on the table, which is drawn above this, as a game is begun.
 * @param {HTMLElement} main @param {string} slug @param {string | null} version null for the newest @param {boolean} atExample  whether that is brought into sight
 * @param {{drawTable: import("./worked_turn.js").DrawTable, play: (slug: string) => void}} above
 */
export async function rulesPage(main, slug, version, atExample, { drawTable, play }) {
  const text = await loadOrShowNothing(main, async () => takeArrived(slug, version) ?? (await fetchRules(slug, version)));
  if (!text) return;
  setTitle(false, text.querySelector("h1")?.textContent ?? "");
  const link = text.querySelector("a[href*='/example']")?.closest("p");
  const place = h("section", { className: "worked", "aria-label": t("rules.worked") });
  const rest = h("article", { className: "rules prose" });
  while (link?.nextSibling) rest.append(link.nextSibling);
  link?.remove();
  main.append(
    h("div", { className: "rules-top" }, drawStamp(slug),
      h("div", { className: "buttons" },
        h("button", { type: "button", className: "main", "data-play": slug, title: t("lobby.play"), onclick: () => play(slug) }, t("shelf.play")),
        version === null && drawLessonButton(slug),
        version === null && h("a", { className: "button", href: toPuzzles(slug) }, t("puzzles")),
        h("a", { className: "button", href: `/new/${slug}` }, t("lobby.new")))),
    text, place, rest,
    h("div", { className: "buttons" }, h("a", { className: "button", href: "/" }, t("to.lobby"))));
  await attempt(() => showWorkedTurn(place, slug, version, drawTable));
  if (atExample) place.scrollIntoView();
}
