// @ts-check
/**
 * Standing orders in a dialog: those that can be left at the present question, the most useful first, those that stand, and
 * what became of the others. Nobody else can see any of it.
 *
 * @typedef {{terms: Record<string, any>, words: string}} Offer
 * @typedef {{id: string, words: string, played: number, why_words: string | null, alternatives: Offer[], order: Record<string, any>}} Order
 * @typedef {{asked: number | null, only_move: boolean | null, plays_only_move: boolean, offers: Offer[], orders: Order[], ended: Order[]} & import("./order_tree.js").Parts} Orders
 */

import { get, post, request } from "../base/api.js";
import { openDialog } from "../base/controls/confirm_dialog.js";
import { announce } from "../base/controls/live_region.js";
import { attempt } from "../base/controls/toasts.js";
import { h, update } from "../base/dom.js";
import { t } from "../base/words.js";
import { OrderTree } from "./order_tree.js";

/** So many stand above all others. */
const MOST_USEFUL = 3;

/** @param {string} path of the orders of a table in the API @param {Orders} shown */
export function showOrders(path, shown) {
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { className: "orders-dialog", "aria-labelledby": "orders" }));
  dialog.addEventListener("close", () => dialog.remove());
  new OrdersDialog(path, dialog).draw(shown);
  openDialog(dialog);
}

class OrdersDialog {
  /** The order whose terms are being changed. */
  #changed = "";

  /** What is drawn. @type {Orders | null} */
  #shown = null;

  /** @param {string} path @param {HTMLDialogElement} dialog */
  constructor(path, dialog) {
    this.path = path;
    this.dialog = dialog;
    this.tree = new OrderTree(order => this.#leave(order), () => this.#shown && this.draw(this.#shown));
  }

  /** @param {Orders} shown */
  draw(shown) {
    const { orders, ended } = (this.#shown = shown);
    const offers = shown.offers.filter(({ words }) => orders.every(each => each.words !== words));
    update(this.dialog,
      h("h2", { id: "orders", key: "title", tabindex: -1 }, t("orders")),
      h("p", { className: "soft small", key: "how" }, t("orders.how")),
      offers.length > 0 && this.#drawOffers(shown, offers.slice(0, MOST_USEFUL)),
      offers.length > MOST_USEFUL && h("details", { key: "more" }, h("summary", {}, t("orders.more")), this.#drawOffers(shown, offers.slice(MOST_USEFUL))),
      this.tree.draw(shown),
      offers.length === 0 && h("p", { key: "none" }, t("orders.none")),
      orders.length > 0 && h("section", { key: "standing" }, h("h3", {}, t("orders.standing")), h("ul", {}, orders.map(each => this.#drawOrder(shown, each)))),
      ended.length > 0 && h("details", { key: "ended" }, h("summary", {}, t("orders.ended")), h("ul", {}, ended.map(({ id, words, why_words: why }) => h("li", { key: id }, words, h("br"), h("span", { className: "soft small" }, why))))),
      this.#drawOnlyMove(shown),
      h("div", { className: "buttons", key: "end" }, h("button", { type: "button", onclick: () => this.dialog.close() }, t("close"))));
  }

  /** @param {Orders} shown @param {Offer[]} offers */
  #drawOffers(shown, offers) {
    return h("div", { className: "offers", key: `offers ${offers[0].words}` }, offers.map(({ terms, words }) =>
      h("button", { type: "button", key: words, onclick: () => this.#leave(terms) }, words)));
  }

  /** @param {Record<string, any>} order  the terms of an order at the present question */
  #leave(order) {
    const asked = this.#shown?.asked;
    return this.#send(async () => (await post(this.path, { asked, order })).order.words, "orders.left");
  }

  /** @param {Orders} shown @param {Order} one */
  #drawOrder(shown, one) {
    const { id, words, played, alternatives } = one;
    const isChanged = this.#changed === id;
    const change = () => {
      this.#changed = isChanged ? "" : id;
      this.draw(shown);
    };
    return h("li", { key: id },
      h("p", {}, words, played > 0 && h("span", { className: "soft small" }, " ", t("orders.played", { n: played }))),
      h("div", { className: "buttons" },
        alternatives.length > 0 && h("button", { type: "button", key: "change", "aria-expanded": isChanged, onclick: change }, t("orders.change")),
        h("button", { type: "button", key: "withdraw", onclick: () => this.#send(async () => (await request("DELETE", `${this.path}/${id}`), words), "orders.withdrawn") }, t("proposals.withdraw"))),
      isChanged && h("div", { className: "offers", key: "alternatives" }, alternatives.map(each =>
        h("button", { type: "button", key: each.words, onclick: () => this.#send(async () => (await request("PUT", `${this.path}/${id}`, { body: { order: each.terms } }), each.words), "orders.left") }, each.words))));
  }

  /** Whether only moves are played here: as the settings say, or not. @param {Orders} shown */
  #drawOnlyMove({ only_move: decided, plays_only_move: plays }) {
    const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", checked: plays, onchange: () => this.#setOnlyMove(box.checked) }));
    return h("section", { key: `only-move ${decided} ${plays}` },
      h("label", { className: "choice" }, box, t("only-move.here")),
      decided !== null && h("button", { type: "button", className: "plain", onclick: () => this.#setOnlyMove(null) }, t("only-move.as-everywhere")));
  }

  /** @param {boolean | null} wanted  null: as the settings say */
  #setOnlyMove(wanted) {
    return this.#send(async () => (await request("PATCH", this.path, { body: { only_move: wanted } }), ""), "me.saved");
  }

  /** Does something, says which order it was about, and shows what stands now. @param {() => Promise<string>} act  returns its words @param {string} said */
  async #send(act, said) {
    const order = await attempt(act);
    this.#changed = "";
    const shown = await attempt(() => get(this.path));
    if (shown && this.dialog.open) this.draw(shown);
    if (order !== undefined) {
      announce(t(said, { order }));
      /** @type {HTMLElement | null} */ (this.dialog.querySelector("h2"))?.focus();
    }
  }
}
