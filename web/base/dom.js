// @ts-check
/**
 * Creates elements and updates them in place. Strings become text, never markup.
 *
 * @typedef {Node | string | number | null | undefined | false | Children} Child
 * @typedef {Child[]} Children
 * @typedef {Record<string, any>} Props  Attributes by name. `on…` are handlers; `key` identifies siblings across updates; `.value`
 *   and the like set what a control shows, replacing what was typed or clicked; the inside of an element with `data-own` is never updated.
 */

const SVG = "http://www.w3.org/2000/svg";
/** What an element keeps across updates: that it is open, and that it has just appeared. */
const KEPT = ["open", "data-appearing"];
const HANDLERS = ["onclick", "oninput", "onchange", "onsubmit", "onkeydown", "ontoggle"];

/**
 * Creates an HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Props} [props] @param {Child[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Props} [props] @param {Child[]} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, props, ...children) {
  return /** @type {any} */ (fill(document.createElementNS(SVG, tag), props, children));
}

/**
 * Changes the children of `parent` into `children`. Elements that match are kept, and with them focus, scrolling and typed text.
 * @param {Element} parent @param {Child[]} children
 */
export function update(parent, ...children) {
  patchChildren(parent, [...fragment(children).childNodes]);
}

/** Changes an element that is on screen into another of the same name and key. @param {Element | null} known @param {Element} element */
export function updateElement(known, element) {
  if (known) patchNode(known, element);
}

/** @template {Element} E @param {E} element @param {Props | undefined} props @param {Child[]} children @returns {E} */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name.startsWith(".")) continue;
    if (name.startsWith("on")) /** @type {any} */ (element)[name] = value;
    else if (value === true && !name.startsWith("aria-")) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && (value !== false || name.startsWith("aria-"))) {
      element.setAttribute(ATTRIBUTE[name] ?? name, String(value));
    }
  }
  element.append(fragment(children));
  const shown = Object.entries(props ?? {}).filter(([name]) => name.startsWith("."));
  if (shown.length) SHOWN.set(element, Object.fromEntries(shown.map(([name, value]) => [name.slice(1), value])));
  return Object.assign(element, SHOWN.get(element));
}

/** The properties that controls were given with `.`. @type {WeakMap<Element, Record<string, any>>} */
const SHOWN = new WeakMap();

/** @type {Record<string, string>} */
const ATTRIBUTE = { className: "class", key: "data-key" };

/** @param {Child[]} children */
function fragment(children) {
  const made = document.createDocumentFragment();
  for (const child of /** @type {any[]} */ (children.flat(9))) {
    if (child !== null && child !== undefined && child !== false) made.append(child instanceof Node ? child : String(child));
  }
  return made;
}

/** @param {Element} parent @param {ChildNode[]} fresh */
function patchChildren(parent, fresh) {
  const wanted = new Set(fresh.map(keyOf).filter(Boolean));
  for (const child of [...parent.children]) if (keyOf(child) && !wanted.has(keyOf(child))) child.remove();
  const keyed = new Map([...parent.children].map(child => [keyOf(child), child]));
  let at = parent.firstChild;
  for (const node of fresh) {
    const known = keyOf(node) ? keyed.get(keyOf(node)) : at;
    if (known?.nodeName === node.nodeName && keyOf(known) === keyOf(node)) {
      if (known === at) at = at.nextSibling;
      else parent.insertBefore(known, at);
      patchNode(known, node);
    } else parent.insertBefore(node, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** @param {Node} node @returns {string | undefined} */
function keyOf(node) {
  return node instanceof Element ? (node.getAttribute("data-key") ?? undefined) : undefined;
}

/** @param {Node} known @param {Node} node */
function patchNode(known, node) {
  if (!(known instanceof Element) || !(node instanceof Element)) {
    if (known.nodeValue !== node.nodeValue) known.nodeValue = node.nodeValue;
    return;
  }
  if (known instanceof SVGElement && known.isEqualNode(node)) return;
  for (const { name } of [...known.attributes]) {
    if (!node.hasAttribute(name) && !KEPT.includes(name)) known.removeAttribute(name);
  }
  for (const { name, value } of node.attributes) {
    if (known.getAttribute(name) !== value) known.setAttribute(name, value);
  }
  for (const name of HANDLERS) /** @type {any} */ (known)[name] = /** @type {any} */ (node)[name];
  if (!known.hasAttribute("data-own")) patchChildren(known, [...node.childNodes]);
  if (known !== document.activeElement) Object.assign(known, SHOWN.get(node));
}
