// @ts-check
/** Home without a connection: the tables that this browser kept. */

import { h, update } from "../base/dom.js";
import { formatTime } from "../base/time_format.js";
import { t } from "../base/words.js";
import { keptTables } from "../people/sign_in/kept_tables.js";
import { drawTableList } from "./table_list.js";

/** @param {HTMLElement} main */
export async function showKeptTables(main) {
  const kept = await keptTables();
  const seenAt = new Map(kept.map(({ game, at }) => [game.id, formatTime(new Date(at).toISOString())]));
  if (main.childElementCount) return; // the lists have come meanwhile
  update(main,
    h("h1", { key: "offline-title" }, t("offline.home")),
    h("p", { className: "soft", role: "status", key: "offline-why" }, t(kept.length ? "offline.home.tables" : "offline.home.none")),
    kept.length > 0 && h("section", { key: "kept" }, drawTableList(kept.map(({ game }) => asSummary(game)), ({ id }) => t("offline.seen", { time: seenAt.get(id) ?? "" }))));
}

/** A table as lists have it. @param {import("../base/api.js").Game} game @returns {import("../base/api.js").Summary} */
export function asSummary(game) {
  const others = game.seats.filter(({ you }) => !you);
  const names = (others.length ? others : game.seats).map(({ name }) => name);
  return { ...game, names, seated: game.seats.length, free: 0, created_at: "", waiting_for_you: game.legal.length > 0 };
}
