// @ts-check
/** Before a secret link replaces who is signed in: a link that somebody else sent could do so unnoticed. */

import { post } from "../../base/api.js";
import { confirmDialog } from "../../base/controls/confirm_dialog.js";
import { t } from "../../base/words.js";
import { player } from "./session.js";

/** Whether to sign in with a secret link; the user is asked if somebody else is signed in. @param {string} key @returns {Promise<boolean>} */
export async function confirmReplacing(key) {
  const present = player();
  if (!present) return true;
  const { name, current } = await post("/api/sign-ins/preview", { key });
  const names = { me: present.name, name };
  return current || confirmDialog(t("back.replace", names), t(present.guest ? "back.replace.guest" : "back.replace.what", names), t("back.replace.do", { name }));
}
