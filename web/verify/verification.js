// @ts-check
/**
 * Once a game is over: has its record held against what this browser has seen, and says in one line what came of it.
 *
 * @typedef {import("./check_record.js").Counts} Counts
 * @typedef {import("./check_record.js").Mismatch} Mismatch
 * @typedef {{counts: Counts} | {mismatch: Mismatch} | "checking" | "older" | "insecure" | "offline"} Outcome
 */

import { Problem, loadModule } from "../base/api.js";
import { h } from "../base/dom.js";
import { t } from "../base/words.js";

/** Where the record and its verification are described. */
const DOCUMENT = "/docs/record";

/** The verification of one game. */
export class Verification {
  /** @type {Outcome | null} */
  #outcome = null;

  /** @param {string} id of the game @param {import("./seen_game.js").SeenGame} seen @param {() => void} redraw */
  constructor(id, seen, redraw) {
    this.id = id;
    this.seen = seen;
    this.redraw = redraw;
  }

  /** Verifies the record; does nothing if that has been done. */
  async start() {
    if (this.#outcome && this.#outcome !== "offline") return;
    this.#outcome = "checking";
    this.#outcome = await this.#verify();
    this.redraw();
  }

  /** @returns {Promise<Outcome | null>} null: the user may not have the record */
  async #verify() {
    try {
      const { verifyGame } = await loadModule(import("./verify_game.js"));
      return await verifyGame(this.id, this.seen);
    } catch (error) {
      if (error instanceof Problem) return error.status === 0 || error.status >= 500 ? "offline" : null;
      throw error;
    }
  }

  draw() {
    const outcome = this.#outcome;
    if (outcome === null) return null;
    if (typeof outcome === "string") return h("p", { className: "verification soft small", role: "status" }, t(`verify.${outcome}`));
    return "counts" in outcome ? drawCounts(outcome.counts) : drawMismatch(outcome.mismatch);
  }
}

/** @param {Counts} counts */
function drawCounts({ signed, ...counts }) {
  return h("p", { className: "verification soft small", role: "status" }, `✓ ${t("verify.right", counts)}`, !signed && ` ${t("verify.unsigned")}`);
}

/** @param {Mismatch} mismatch */
function drawMismatch({ what, number }) {
  return h("div", { className: "verification warning", role: "alert" },
    h("p", {}, h("strong", {}, t(`verify.wrong.${what}`, { n: number ?? 0 }))),
    h("p", {}, t("verify.wrong.do"), " ", h("a", { href: DOCUMENT, target: "_blank" }, t("verify.document"))));
}
