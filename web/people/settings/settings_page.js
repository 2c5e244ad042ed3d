// @ts-check
/** The settings page: the user's name, and the sections of the other modules here. */

import { drawForm } from "../../base/controls/form.js";
import { showToast } from "../../base/controls/toasts.js";
import { h } from "../../base/dom.js";
import { setTitle } from "../../base/controls/title_and_icon.js";
import { t } from "../../base/words.js";
import { ensurePlayer } from "../sign_in/name_dialog.js";
import { changeMe, player } from "../sign_in/session.js";
import { accountSections } from "./account.js";
import { blockedSection } from "./blocks.js";
import { exportAndEraseSection } from "./export_and_erase.js";
import { languageAndThemeSection } from "./language_and_theme.js";
import { mailSettingsSection } from "./mail_settings.js";
import { notificationsSection } from "./notifications.js";
import { onlyMovesSection } from "./only_moves.js";
import { ratingsSection } from "./ratings.js";
import { secretLinkSection } from "./secret_link.js";
import { signInsSection } from "./sign_ins.js";
import { tokensSection } from "./tokens.js";
import { vacationSection } from "./vacations.js";
import { webhooksSection } from "./webhooks.js";

/**
 * @param {HTMLElement} main @param {(again: () => void) => Promise<HTMLElement | null>} liveWishesSection draws them, if there are any
 * @param {string} [section] the id of the section that is shown first
 */
export async function settingsPage(main, liveWishesSection, section = "") {
  if (!main.isConnected) return; // a section was changed, and the screen left meanwhile
  setTitle(false, t("me.title"));
  const again = () => settingsPage(main, liveWishesSection);
  const title = h("h1", {}, t("me.title"));
  if (!player()) return main.replaceChildren(title, drawSignedOut(again), languageAndThemeSection());
  const loading = [mailSettingsSection(), onlyMovesSection(), ratingsSection(), notificationsSection(again), vacationSection(again), liveWishesSection(again), blockedSection(again), signInsSection(again), tokensSection(again), webhooksSection(again)];
  const [mails, onlyMoves, ratings, notifications, vacation, live, blocks, signIns, tokens, webhooks] = await Promise.all(loading);
  const [guests, others] = player()?.guest ? [secretLinkSection(again), null] : [null, secretLinkSection(again)];
  const shown = [nameForm(), ...accountSections(again), guests, languageAndThemeSection(), mails, onlyMoves, ratings, notifications, vacation, live, blocks, others, signIns, tokens, webhooks, exportAndEraseSection()];
  main.replaceChildren(title, ...shown.filter(each => each !== null));
  if (section) document.getElementById(section)?.scrollIntoView();
}

/** @param {() => void} again */
function drawSignedOut(again) {
  const become = async () => (await ensurePlayer()) && again();
  return h("section", { className: "sheet" },
    h("p", {}, t("me.nobody")),
    h("div", { className: "buttons" },
      h("button", { type: "button", className: "main", onclick: become }, t("me.become")),
      h("a", { className: "button", href: "/enter" }, t("sign-in.title"))));
}

function nameForm() {
  return h("section", { className: "sheet" }, drawForm("my", {
    fields: [{ name: "name", label: t("name.label"), required: true, maxlength: 40, autocomplete: "nickname", value: player()?.name }],
    buttons: [["", t("me.save")]],
    async send({ name }) {
      await changeMe({ name: name.trim() });
      showToast(t("me.saved"));
    },
  }));
}
