// @ts-check
/** The text of a game's rules, from the page that the service makes of them, with drawn cards. Only known elements are copied. */

import { Problem } from "../base/api.js";
import { h } from "../base/dom.js";
import { language, t } from "../base/words.js";
import { drawCard } from "../cards/card.js";

/** @type {Record<string, true>} */
const TAGS = Object.fromEntries(
  "h1 h2 h3 h4 p ul ol li table thead tbody tr th td em strong code blockquote dl dt dd hr br figure figcaption pre"
    .split(" ").map(tag => [tag, true]));

/** The rules that came with the document. @type {HTMLElement | null} */
let arrived = document.querySelector("#arriving article.rules");

/** The rules that the document has brought, if they are these and in this language. @param {string} slug @param {string | null} version */
export function takeArrived(slug, version) {
  const found = arrived;
  arrived = null;
  const isWanted = found?.dataset.slug === slug && found.lang === language() && found.dataset.version === (version ?? "");
  return isWanted ? copyRules(found) : null;
}

/** Fetches the rules as an element. @param {string} slug @param {string | number | null} version null for the newest */
export async function fetchRules(slug, version) {
  const query = new URLSearchParams({ lang: language(), ...(version === null ? {} : { version: String(version) }) });
  const response = await fetch(`/rules/${encodeURIComponent(slug)}?${query}`);
  if (!response.ok) throw new Problem(response.status, { title: t("rules.none"), detail: t("rules.none.next") });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return copyRules(page.querySelector("article") ?? page.body);
}

/** @param {Element} article */
function copyRules(article) {
  return h("article", { className: "rules prose" }, copyChildren(article));
}

/** Brings the section that explains a phase into sight, if the rules are shown beside a table. @param {string} phase */
export function showSection(phase) {
  document.querySelector(`.side-panel .rules [data-phases~="${CSS.escape(phase)}"]`)?.scrollIntoView();
}

/** @param {Element} element @returns {(Node | string)[]} */
function copyChildren(element) {
  return [...element.childNodes].flatMap(copyNode);
}

/** @param {Node} node @returns {(Node | string)[]} */
function copyNode(node) {
  if (!(node instanceof Element)) return node.nodeType === Node.TEXT_NODE ? [node.textContent ?? ""] : [];
  const tag = node.localName;
  const codes = node.getAttribute("data-cards")?.split(/\s+/) ?? [];
  if (codes.length) return [h("span", { className: "cards-in-text" }, codes.map(code => drawCard(code)))];
  if (tag === "a") return [h("a", { href: safeHref(node.getAttribute("href")) }, copyChildren(node))];
  if (tag === "table") return [h("div", { className: "wide", tabindex: 0, role: "group", "aria-label": t("rules.table") }, h("table", {}, copyChildren(node)))];
  return TAGS[tag] ? [h(/** @type {any} */ (tag), { "data-phases": node.getAttribute("data-phases") }, copyChildren(node))] : copyChildren(node);
}

/** @param {string | null} address */
function safeHref(address) {
  return address && /^(https?:|\/|#)/.test(address) ? address : null;
}
