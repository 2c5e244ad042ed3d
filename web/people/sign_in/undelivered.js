// @ts-check
/** What somebody is told whom no email reaches. */

import { h } from "../../base/dom.js";
import { formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { player } from "./session.js";

/** Why no email reaches the user, and what to do; null if nothing is known against their address. @param {HTMLElement | null} [way] a link */
export function drawUndelivered(way = null) {
  const { address, undelivered } = player() ?? {};
  if (!address || !undelivered) return null;
  const why = undelivered.why === "no-mailbox" ? "no-mailbox" : "refused";
  return h("section", { className: "sheet notice", key: "undelivered" },
    h("p", {}, t(`undelivered.${why}`, { address, since: formatTime(undelivered.since) })), way && h("p", {}, way));
}
