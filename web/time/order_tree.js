// @ts-check
/**
 * A form for orders that wait for answers of others: what to play, and after which answers. Both are offered in words by the
 * server; several such orders are a short tree.
 *
 * @typedef {import("./standing_orders.js").Offer} Offer
 * @typedef {{condition: Record<string, any>, words: string}} Condition
 * @typedef {{plays: Offer[], conditions: Condition[]}} Parts
 */

import { h } from "../base/dom.js";
import { t } from "../base/words.js";

/** For so many answers can such an order wait. */
const DEEPEST = 3;

export class OrderTree {
  /** The number of conditions that can be chosen. */
  #conditions = 1;

  /** @param {(order: Record<string, any>) => void} leave @param {() => void} redraw */
  constructor(leave, redraw) {
    this.leave = leave;
    this.redraw = redraw;
  }

  /** @param {Parts} parts */
  draw({ plays, conditions }) {
    if (!plays.length || !conditions.length) return null;
    const words = conditions.map(each => each.words);
    const others = Array.from({ length: this.#conditions - 1 }, (_, n) => drawChoice(`order-if-${n + 2}`, t("orders.tree.more"), [t("orders.tree.none"), ...words], -1));
    const add = () => {
      this.#conditions += 1;
      this.redraw();
      document.getElementById(`order-if-${this.#conditions}`)?.focus();
    };
    return h("details", { key: "tree" },
      h("summary", {}, t("orders.tree")),
      h("p", { className: "soft small" }, t("orders.tree.how")),
      h("form", { className: "order-tree", onsubmit: event => this.#submit(event, { plays, conditions }) },
        drawChoice("order-if-1", t("orders.tree.first"), words),
        others,
        this.#conditions < DEEPEST && h("button", { type: "button", className: "plain", key: "add", onclick: add }, t("orders.tree.more")),
        drawChoice("order-plays", t("orders.tree.what"), plays.map(each => each.words)),
        h("button", { className: "main", key: "leave" }, t("orders.tree.leave"))));
  }

  /** @param {SubmitEvent} event @param {Parts} parts */
  #submit(event, { plays, conditions }) {
    event.preventDefault();
    const [first, ...rest] = [.../** @type {HTMLFormElement} */ (event.target).querySelectorAll("select")].map(each => Number(each.value));
    const places = [first, ...rest.slice(0, -1)].filter(place => place >= 0);
    const when = [...new Set(places)].map(place => conditions[place].condition);
    this.leave({ ...plays[rest.at(-1) ?? 0].terms, when, until: {} });
  }
}

/** @param {string} id @param {string} label @param {string[]} choices @param {number} [from]  the value of the first one */
function drawChoice(id, label, choices, from = 0) {
  return h("p", { className: "field", key: id },
    h("label", { for: id }, label),
    h("select", { id }, choices.map((words, n) => h("option", { value: n + from }, words))));
}
