// @ts-check
/**
 * The series that the user may see, or those of a circle; there also the games for which one can be set up.
 *
 * @typedef {import("./series_page.js").SeriesSummary} SeriesSummary
 * @typedef {{slug: string, name: string}} Game
 */

import { get } from "../../base/api.js";
import { loadOrShowNothing } from "../../base/controls/nothing_here.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { h, update } from "../../base/dom.js";
import { PEOPLE, toCircle, toNewSeriesIn, toSeries } from "../../base/routes.js";
import { formatDuration, formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { player } from "../sign_in/session.js";

/** @param {HTMLElement} main @param {string} circle its id; "": all series */
export async function seriesListPage(main, circle) {
  const found = await loadOrShowNothing(main, () => Promise.all([get("/api/series"), circle ? get(`/api/circles/${circle}`) : null, circle ? get("/api/rulesets") : null]));
  if (!found) return;
  const [{ series }, ours, offered] = found;
  /** @type {SeriesSummary[]} */
  const listed = circle ? series.filter((/** @type {SeriesSummary} */ each) => each.circle === circle) : series;
  const title = ours ? t("series.of", { name: ours.name }) : t("series.title");
  setTitle(false, title);
  update(main,
    h("h1", {}, title),
    h("p", {}, t("series.what")),
    listed.length > 0 ? drawSeriesList(listed) : h("p", { className: "soft", key: "none" }, t("series.none")),
    ours && drawNew(circle, offered.rulesets),
    h("p", { className: "buttons", key: "ways" },
      ours && h("a", { className: "button", href: toCircle(circle) }, ours.name),
      !ours && player() && h("a", { className: "button", href: PEOPLE }, t("people.title")),
      h("a", { className: "button", href: "/" }, t("to.lobby"))));
}

/** @param {SeriesSummary[]} series */
function drawSeriesList(series) {
  return h("ul", { className: "item-list", key: "series" }, series.map(each => h("li", { key: each.id },
    h("span", {}, h("a", { href: toSeries(each.id) }, t("series.one", { name: each.name, season: each.season })),
      h("small", { className: "soft" }, [each.game, statusText(each)].join(t("colon")))))));
}

/** Whether it has begun, and when the round ends. @param {SeriesSummary} series */
export function statusText({ status, round, ends_at }) {
  return t(`series.status.${status}`, { round, time: ends_at ? whenText(ends_at) : "" });
}

/** A time to come, with how far away it is. @param {string} iso */
function whenText(iso) {
  const left = (Date.parse(iso) - Date.now()) / 1000;
  return left > 0 ? t("series.when", { time: formatTime(iso), left: formatDuration(left) }) : formatTime(iso);
}

/** @param {string} circle @param {Game[]} games */
function drawNew(circle, games) {
  return h("section", { className: "sheet", key: "new" },
    h("h2", {}, t("series.new")),
    h("p", { className: "soft" }, t("series.new.what")),
    h("ul", { className: "item-list" }, games.map(({ slug, name }) => h("li", { key: slug }, h("a", { href: toNewSeriesIn(slug, circle) }, name)))));
}
