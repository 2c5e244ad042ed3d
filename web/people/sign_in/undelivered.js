// @ts-check
/** What somebody is told whom no email reaches, at the address that counts or at one that they have just typed. */

import { h } from "../../base/dom.js";
import { formatTime } from "../../base/time_format.js";
import { t } from "../../base/words.js";
import { loadPlayer, player } from "./session.js";

const KNOWN = ["no-mailbox", "complaint", "full", "over-quota", "refused"];
/** Ms between two looks at what has become of an email: a wrong address is found out within seconds, or in minutes. */
const LOOKS = [2000, 3000, 5000, 10_000, 20_000, 40_000, 60_000, 120_000];

/** Why no email reaches the user, and what to do; null if nothing is known against their address. @param {HTMLElement | null} [way] a link */
export function drawUndelivered(way = null) {
  const who = player();
  return (who?.address && drawWhy(who.address, who.undelivered, way)) || null;
}

/** The same of an address that is not confirmed yet. @param {HTMLElement | null} [way] a link */
export function drawNeverDelivered(way = null) {
  const who = player();
  return (who?.unverified_address && drawWhy(who.unverified_address, who.unverified_undelivered, way)) || null;
}

/** @param {string} address @param {{why: string, since: string} | null | undefined} undelivered @param {HTMLElement | null} way */
function drawWhy(address, undelivered, way) {
  if (!undelivered) return null;
  const why = KNOWN.includes(undelivered.why) ? undelivered.why : "refused";
  return h("section", { className: "sheet notice", role: "status", key: `undelivered ${address}` },
    h("p", {}, t(`undelivered.${why}`, { address, since: formatTime(undelivered.since) })), way && h("p", {}, way));
}

/** Calls `then` once it is known that no email reaches the address that the user has just typed, or once they have confirmed it. @param {() => void} then */
export async function watchDelivery(then) {
  const address = player()?.unverified_address;
  if (!address) return;
  for (const pause of LOOKS) {
    await new Promise(done => setTimeout(done, pause));
    if (document.hidden) continue;
    await loadPlayer();
    const who = player();
    const isSame = who?.unverified_address === address;
    if (!isSame || who?.unverified_undelivered) return then();
  }
}
