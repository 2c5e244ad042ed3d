// @ts-check
/** The secret link, which signs a player in on any device. */

import { post } from "../../base/api.js";
import { loadInTab, saveInTab } from "../../base/browser_storage.js";
import { copyField } from "../../base/controls/copy_field.js";
import { attempt } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";

/** @param {() => void} again redraws the page */
export function secretLinkSection(again) {
  const known = loadInTab("link");
  const renew = () => attempt(async () => {
    saveInTab("link", (await post("/api/me/link")).link.url);
    again();
  });
  return h("section", { className: "sheet" },
    h("h2", {}, t("me.link")),
    h("p", {}, t("me.link.why")),
    known && copyField("my-link", t("me.link"), known),
    h("p", { className: "soft small" }, t("me.link.renew.why")),
    h("div", { className: "buttons" }, h("button", { type: "button", onclick: renew }, t("me.link.renew"))));
}
