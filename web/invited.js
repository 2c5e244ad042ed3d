// @ts-check
/** Tables to which I am invited. */

import { ask, get } from "./api.js";
import { h } from "./dom.js";
import { attempt } from "./notice.js";
import { toTable } from "./route.js";
import { t } from "./words.js";

/** @typedef {{id: string, by: string, game: import("./api.js").Summary}} Invitation */

/** @returns {Promise<Invitation[]>} */
export async function myInvitations() {
  return (await get("/api/me/invitations")).invitations;
}

/** @param {Invitation[]} invitations @param {() => void} again looks anew */
export function drawInvitations(invitations, again) {
  const decline = (/** @type {string} */ id) => attempt(() => ask("DELETE", `/api/me/invitations/${id}`)).then(again);
  return h("section", { key: "invitations" },
    h("h2", {}, t("invited.title")),
    h("ul", { className: "tokens" }, invitations.map(({ id, by, game }) => h("li", { key: id },
      h("span", {}, t("invited.by", { name: by, game: game.ruleset.name })),
      h("span", { className: "buttons" },
        h("a", { className: "button main", href: toTable(game.id) }, t("invited.look")),
        h("button", { type: "button", onclick: () => decline(id) }, t("invited.decline")))))));
}
