// @ts-check
/** What somebody with the link of a circle sees of it, and how they join. */

import { get, post } from "../../base/api.js";
import { attempt } from "../../base/controls/toasts.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { h, update } from "../../base/dom.js";
import { t } from "../../base/words.js";
import { player } from "../sign_in/session.js";
import { drawForGuests } from "./people_page.js";

/** @param {HTMLElement} main @param {string} id @param {() => void} joined shows the circle. Throws a Problem if the link is wrong. */
export async function showInvitationToCircle(main, id, joined) {
  const { name, about, host, members } = await get(`/api/circles/${id}/invitation`);
  const join = () => attempt(async () => {
    await post(`/api/circles/${id}/members`);
    joined();
  });
  setTitle(false, name);
  update(main,
    h("h1", {}, name),
    about && h("p", { className: "text" }, about),
    h("p", {}, t("circle.invited", { name: host, n: members })),
    player()?.address
      ? h("div", { className: "buttons" }, h("button", { type: "button", className: "main", id: "join", onclick: join }, t("circle.join")))
      : drawForGuests());
}
