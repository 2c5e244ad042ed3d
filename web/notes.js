// @ts-check
/** The reader's own notes about a game; nobody else reads them. Loaded when they are opened, kept when the field is left. */

import { ask, get } from "./api.js";
import { h } from "./dom.js";
import { attempt, tell } from "./notice.js";
import { t } from "./words.js";

const LONGEST = 10_000;

export class Notes {
  text = "";
  #known = false;

  /** @param {string} path of the game @param {() => void} redraw */
  constructor(path, redraw) {
    this.path = `${path}/notes`;
    this.redraw = redraw;
  }

  draw() {
    const note = (/** @type {any} */ event) => {
      this.text = event.target.value;
    };
    const show = (/** @type {any} */ event) => event.target.open && this.#load();
    return h("details", { className: "more", key: "notes", ontoggle: show },
      h("summary", {}, t("notes")),
      h("label", { for: "notes", className: "soft small" }, t("notes.why")),
      h("textarea", { id: "notes", rows: 6, maxlength: LONGEST, ".value": this.text, disabled: !this.#known, oninput: note, onchange: () => this.#keep() }),
      h("div", { className: "buttons" }, h("button", { type: "button", onclick: () => this.#keep() }, t("me.save"))));
  }

  /** What is written here already is not overwritten. */
  async #load() {
    if (this.#known) return;
    await attempt(async () => {
      this.text = (await get(this.path)).text;
      this.#known = true;
    });
    this.redraw();
  }

  #keep() {
    return attempt(async () => {
      await ask("PUT", this.path, { body: { text: this.text } });
      tell(t("me.saved"));
    });
  }
}
