// @ts-check
/** The button on the page of a player with which the user follows them, or follows them no longer. */

import { post, request } from "../../base/api.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";

/** Null where the user cannot follow them. @param {import("./player_page.js").PlayerPage} page */
export function followButton({ handle, name, follow }) {
  if (!follow) return null;
  let { id } = follow;
  let isSending = false;
  const button = h("button", { type: "button", id: "follow", onclick: () => change() });
  draw();
  return h("div", { className: "buttons" }, button);

  function draw() {
    button.textContent = t(id ? "follows.end" : "talk.follow");
    button.setAttribute("aria-label", t(id ? "follows.end.which" : "follows.begin.which", { name }));
  }

  async function change() {
    if (isSending) return;
    isSending = true;
    await attempt(async () => {
      const was = id;
      id = was ? await end(was) : (await post("/api/me/follows", { handle })).id;
      showToast(t(was ? "follows.ended" : "talk.follow.done", { name }));
    });
    isSending = false;
    draw();
  }
}

/** @param {string} id @returns {Promise<null>} */
async function end(id) {
  await request("DELETE", `/api/me/follows/${id}`);
  return null;
}
