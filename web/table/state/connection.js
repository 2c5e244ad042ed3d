// @ts-check
/** Asks the service for the game again and again; where there is no connection, the table is as it was, or as this browser kept it. */

import { Problem, request } from "../../base/api.js";
import { showNothingHere } from "../../base/controls/nothing_here.js";
import { Polling } from "../../base/polling.js";
import { t } from "../../base/words.js";
import { openedOffline } from "../../base/worker_registration.js";
import { pauseAt } from "./pauses.js";

/** How long the server may wait with the answer until there are news, at a table where all act at once, in seconds. */
const HELD = 15;
/** The pause while house players answer the user's action, in seconds. */
const PAUSE_AFTER_ACTION = 0.35;

export class Connection {
  /** Of the game as it came last. @type {string | null} */
  #etag = null;
  #polling;

  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.#polling = new Polling(() => this.#poll(), error => this.#failed(error));
  }

  stop() {
    this.#polling.stop();
  }

  /** Asks at once. */
  ask() {
    return this.#polling.now();
  }

  async #poll() {
    const { table } = this;
    if (openedOffline()) await this.#showKept();
    const began = Date.now();
    const isLive = Boolean(table.game?.live) && table.game?.status !== "over";
    const { data, etag } = await request("GET", table.path, { etag: this.#etag, wait: isLive ? HELD : 0 });
    const wasLost = table.lastKnown.answered();
    if (data) await table.answers.show(data);
    else if (wasLost) table.redraw();
    this.#etag = etag;
    this.#polling.isUrgent = Boolean(table.game?.live) && table.game?.status !== "over" && table.game?.tenure !== null;
    await table.action.sendAgain();
    if (isLive && (data || Date.now() - began > 1000)) return 0; // else the server has no room to wait
    return table.action.isRecent && table.game?.status !== "over" ? PAUSE_AFTER_ACTION : pauseAt(table.game, Date.now());
  }

  /** Shows the table as this browser kept it, until the server answers. */
  async #showKept() {
    const { table } = this;
    if (table.game) return;
    const kept = await table.lastKnown.load();
    if (!kept || table.game) return;
    Object.assign(table, kept.declared);
    if (!table.history.events.length) table.history.events = kept.events;
    table.answers.accept(kept.game);
  }

  /** @param {unknown} error */
  async #failed(error) {
    const { table } = this;
    if (error instanceof Problem && error.slug === "offline") {
      await this.#showKept();
      table.lastKnown.lost();
      return table.lastKnown.asOf === null ? table.tell(error) : table.redraw();
    }
    if (!(error instanceof Problem) || error.status !== 404) return table.tell(error);
    table.stop();
    showNothingHere(table.main, t("table.gone"), t("table.gone.why"));
  }
}
