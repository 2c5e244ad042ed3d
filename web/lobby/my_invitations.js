// @ts-check
/** Tables to which the user is invited. */

import { request } from "../base/api.js";
import { attempt } from "../base/controls/toasts.js";
import { h } from "../base/dom.js";
import { toTable } from "../base/routes.js";
import { t } from "../base/words.js";

/** @typedef {{id: string, by: string, game: import("../base/api.js").Summary}} Invitation */

/** @param {import("../base/api.js").Asking} asking @returns {Promise<Invitation[]>} */
export async function loadInvitations(asking) {
  return (await asking.get("/api/me/invitations")).invitations;
}

/** @param {Invitation[]} invitations @param {() => void} again reloads the lobby */
export function drawInvitations(invitations, again) {
  const decline = (/** @type {string} */ id) => attempt(() => request("DELETE", `/api/me/invitations/${id}`)).then(again);
  return h("section", { key: "invitations" },
    h("h2", {}, t("my-invitations.title")),
    h("ul", { className: "item-list" }, invitations.map(({ id, by, game }) => h("li", { key: id },
      h("span", {}, [t("my-invitations.by", { name: by, game: game.ruleset.name }), game.rated && t("rated")].filter(Boolean).join(t("then"))),
      h("span", { className: "buttons" },
        h("a", { className: "button main", href: toTable(game.id) }, t("my-invitations.look")),
        h("button", { type: "button", onclick: () => decline(id) }, t("my-invitations.decline")))))));
}
