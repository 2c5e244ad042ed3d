// @ts-check
/**
 * The members of a circle and its link; for its host also how to change, hand over and end it.
 *
 * @typedef {import("./circle_page.js").Circle} Circle
 * @typedef {import("./circle_page.js").Member} Member
 */

import { post, request } from "../../base/api.js";
import { confirmDialog } from "../../base/controls/confirm_dialog.js";
import { copyField } from "../../base/controls/copy_field.js";
import { drawForm } from "../../base/controls/form.js";
import { attempt, showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { PEOPLE, goTo } from "../../base/routes.js";
import { t } from "../../base/words.js";

/** @param {Circle} circle @param {() => void} again loads the circle anew */
export function drawMembers(circle, again) {
  const { link, members, removed, host } = circle;
  return h("section", { className: "sheet", key: "members" },
    h("h2", {}, t("circle.members")),
    h("ul", { className: "item-list" }, members.map(each => drawMember(circle, each, again))),
    h("h3", {}, t("circle.link")),
    h("p", { className: "soft" }, t("circle.link.what")),
    copyField("circle-link", t("circle.link"), link.url),
    host && h("p", {}, h("button", { type: "button", id: "new-circle-link", onclick: () => act(() => post(`${path(circle)}/link`), again) }, t("circle.link.new"))),
    removed.length > 0 && drawRemoved(circle, again),
    host && drawSettings(circle, again),
    h("div", { className: "buttons" },
      h("button", { type: "button", id: "leave-circle", onclick: () => leave(circle) }, t("circle.leave")),
      host && h("button", { type: "button", id: "end-circle", onclick: () => end(circle) }, t("circle.end"))));
}

/** @param {Circle} circle */
function path({ id }) {
  return `/api/circles/${id}`;
}

/** @param {() => Promise<any>} send @param {() => void} again */
function act(send, again) {
  return attempt(send).then(again);
}

/** @param {Circle} circle @param {Member} member @param {() => void} again */
function drawMember(circle, member, again) {
  const { id, name, you, host } = member;
  return h("li", { key: id },
    h("span", {}, name, you && h("span", { className: "tag" }, t("seat.you")), host && h("span", { className: "tag" }, t("circles.host"))),
    circle.host && !you && h("span", { className: "buttons" },
      h("button", { type: "button", "data-way": "hand-over", "aria-label": t("circle.hand-over.which", { name }), onclick: () => handOver(circle, member, again) }, t("circle.hand-over")),
      h("button", { type: "button", "data-way": "remove", "aria-label": t("circle.remove.which", { name }), onclick: () => remove(circle, member, again) }, t("circle.remove"))));
}

/** @param {Circle} circle @param {Member} member @param {() => void} again */
async function handOver(circle, { id, name }, again) {
  if (!(await confirmDialog(t("circle.hand-over"), t("circle.hand-over.what", { name }), t("circle.hand-over")))) return;
  await act(() => request("PUT", `${path(circle)}/host`, { body: { member: id } }), again);
}

/** @param {Circle} circle @param {Member} member @param {() => void} again */
async function remove(circle, { id, name }, again) {
  if (!(await confirmDialog(t("circle.remove"), t("circle.remove.what", { name }), t("circle.remove")))) return;
  await act(() => request("DELETE", `${path(circle)}/members/${id}`), again);
}

/** @param {Circle} circle @param {() => void} again */
function drawRemoved(circle, again) {
  const back = (/** @type {string} */ id) => act(() => request("DELETE", `${path(circle)}/removals/${id}`), again);
  return h("details", { className: "more", key: "removed" },
    h("summary", {}, t("circle.removed")),
    h("ul", { className: "item-list" }, circle.removed.map(({ id, name }) => h("li", { key: id }, h("span", {}, name),
      h("button", { type: "button", "aria-label": t("circle.removed.back.which", { name }), onclick: () => back(id) }, t("circle.removed.back"))))));
}

/** @param {Circle} circle @param {() => void} again */
function drawSettings(circle, again) {
  return h("details", { className: "more", key: "settings" },
    h("summary", {}, t("circle.settings")),
    drawForm("circle-settings", {
      fields: [
        { name: "name", label: t("circles.name"), required: true, maxlength: 40, autocomplete: "off", value: circle.name },
        { name: "about", label: t("circle.about"), maxlength: 500, autocomplete: "off", value: circle.about ?? "" },
      ],
      buttons: [["", t("me.save")]],
      send: async ({ name, about }) => {
        await request("PATCH", path(circle), { body: { name: name.trim(), about: about?.trim() || null } });
        showToast(t("me.saved"));
        again();
      },
    }));
}

/** @param {Circle} circle */
async function leave(circle) {
  const heir = circle.host && circle.members.find(({ you }) => !you);
  const what = circle.host ? (heir ? t("circle.leave.host", { name: heir.name }) : t("circle.leave.last")) : t("circle.leave.what");
  if (!(await confirmDialog(t("circle.leave"), what, t("circle.leave")))) return;
  await gone(() => request("DELETE", `${path(circle)}/members/${circle.member}`));
}

/** @param {Circle} circle */
async function end(circle) {
  if (!(await confirmDialog(t("circle.end"), t("circle.end.what"), t("circle.end")))) return;
  await gone(() => request("DELETE", path(circle)));
}

/** @param {() => Promise<any>} send what takes the user out of the circle */
async function gone(send) {
  await attempt(async () => {
    await send();
    goTo(PEOPLE);
  });
}
