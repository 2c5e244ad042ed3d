// @ts-check
/** What ratings are, and which games count, in words. */

import { h } from "../../base/dom.js";
import { t } from "../../base/words.js";

/** Sections of the explanation: a heading, and its sentences. */
const SECTIONS = [
  ["ratings.counts", ["ratings.counts.tables", "ratings.counts.ends", "ratings.counts.people"]],
  ["ratings.seen", ["ratings.seen.who"]],
];

export function drawExplanation() {
  return SECTIONS.map(([title, sentences]) => h("section", { className: "prose", key: title },
    h("h2", {}, t(String(title))), [...sentences].map(each => h("p", {}, t(each)))));
}

/** What somebody has who has no rating: a guest, a visitor, or a person who has not finished a rated game. @param {{guest: boolean} | null} person */
export function drawNoRating(person) {
  if (person && !person.guest) return h("p", {}, t("ratings.none"));
  const [address, words] = person ? ["/me", "account.register"] : ["/enter", "sign-in.title"];
  return h("p", {}, t("leaderboard.own.guest"), " ", h("a", { href: address }, t(words)));
}
