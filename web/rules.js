// @ts-check
/** The rules of a game as its page tells them; its cards are drawn. Only elements that are known are taken over. */

import { Problem } from "./api.js";
import { signal } from "./attention.js";
import { picture } from "./cards.js";
import { h } from "./dom.js";
import { attempt } from "./notice.js";
import { language, t } from "./words.js";

/** @type {Record<string, true>} */
const TAGS = Object.fromEntries(
  "h1 h2 h3 h4 p ul ol li table thead tbody tr th td em strong code blockquote dl dt dd hr br figure figcaption pre"
    .split(" ").map(tag => [tag, true]));

/** The page of rules. @param {HTMLElement} main @param {string} slug */
export async function rules(main, slug) {
  const text = await attempt(() => rulesText(slug));
  if (!text) return;
  signal(false, text.querySelector("h1")?.textContent ?? "");
  main.append(text, h("div", { className: "buttons" },
    h("a", { className: "button main", href: `#/new/${slug}` }, t("lobby.new")),
    h("a", { className: "button", href: "#/" }, t("to.lobby"))));
}

/** The rules of a ruleset, ready to be put somewhere. @param {string} slug */
export async function rulesText(slug) {
  const response = await fetch(`/rules/${encodeURIComponent(slug)}?lang=${language()}`);
  if (!response.ok) throw new Problem(response.status, { title: t("rules.none"), detail: t("rules.none.next") });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return h("article", { className: "rules" }, copies(page.querySelector("main") ?? page.body));
}

/** @param {Element} element @returns {(Node | string)[]} */
function copies(element) {
  return [...element.childNodes].flatMap(copy);
}

/** @param {Node} node @returns {(Node | string)[]} */
function copy(node) {
  if (!(node instanceof Element)) return node.nodeType === Node.TEXT_NODE ? [node.textContent ?? ""] : [];
  const tag = node.localName;
  const codes = node.getAttribute("data-cards")?.split(/\s+/) ?? [];
  if (codes.length) return [h("span", { className: "cards-in-text" }, codes.map(code => picture(code)))];
  if (tag === "a") return [h("a", { href: safe(node.getAttribute("href")) }, copies(node))];
  if (tag === "table") return [h("div", { className: "wide", tabindex: 0, role: "group", "aria-label": t("rules.table") }, h("table", {}, copies(node)))];
  if (tag === "th" && !node.textContent?.trim()) return [h("td")];
  return TAGS[tag] ? [h(/** @type {any} */ (tag), {}, copies(node))] : copies(node);
}

/** @param {string | null} address */
function safe(address) {
  return address && /^(https?:|\/|#)/.test(address) ? address : null;
}
