// @ts-check
/** The rules of a game, from the page that the service makes of them, with drawn cards. Only known elements are copied. */

import { Problem } from "../base/api.js";
import { loadOrShowNothing } from "../base/controls/nothing_here.js";
import { h } from "../base/dom.js";
import { setTitle } from "../base/controls/title_and_icon.js";
import { language, t } from "../base/words.js";
import { drawCard } from "../cards/card.js";
import { drawLessonButton } from "./lesson.js";

/** @type {Record<string, true>} */
const TAGS = Object.fromEntries(
  "h1 h2 h3 h4 p ul ol li table thead tbody tr th td em strong code blockquote dl dt dd hr br figure figcaption pre"
    .split(" ").map(tag => [tag, true]));

/** The page with a game's rules. @param {HTMLElement} main @param {string} slug @param {string | null} version null for the newest */
export async function rulesPage(main, slug, version) {
  const text = await loadOrShowNothing(main, () => fetchRules(slug, version));
  if (!text) return;
  setTitle(false, text.querySelector("h1")?.textContent ?? "");
  main.append(text, h("div", { className: "buttons" },
    version === null && drawLessonButton(slug),
    h("a", { className: "button main", href: `/new/${slug}` }, t("lobby.new")),
    h("a", { className: "button", href: "/" }, t("to.lobby"))));
}

/** Fetches the rules as an element. @param {string} slug @param {string | number | null} version null for the newest */
export async function fetchRules(slug, version) {
  const query = new URLSearchParams({ lang: language(), ...(version === null ? {} : { version: String(version) }) });
  const response = await fetch(`/rules/${encodeURIComponent(slug)}?${query}`);
  if (!response.ok) throw new Problem(response.status, { title: t("rules.none"), detail: t("rules.none.next") });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return h("article", { className: "rules" }, copyChildren(page.querySelector("article") ?? page.body));
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
