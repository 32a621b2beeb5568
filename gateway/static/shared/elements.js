/**
 * Elements made of plain values. Text goes in as text: nothing that anybody wrote is ever markup.
 */

import { harmless } from "./harmless.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, string|number|boolean|null|undefined|((event: Event) => unknown)>} Attributes
 * @typedef {Node|string|number|false|null|undefined} Child
 */

/**
 * An element with attributes and children.
 *
 * `attributes`: `class`, `for`, `aria-…` and all others as in HTML; `true` sets one without a value;
 * `false`, `null` and `undefined` leave it out; a function under `onclick`, `onsubmit`, … listens.
 * Children are elements or texts; a text is made harmless; `null`, `undefined` and `false` are
 * skipped.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...(Child|Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * The same in SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...(Child|Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/**
 * A button that does something.
 * @param {Child|Child[]} label
 * @param {(event: Event) => unknown} does
 * @param {Attributes} [attributes]
 */
export function button(label, does, attributes = {}) {
  return h("button", { type: "button", class: "small", onclick: does, ...attributes }, label);
}

/**
 * A button that a sign stands on, with what it does as its name and tooltip.
 * @param {string} sign
 * @param {string} label
 * @param {(event: Event) => unknown} does
 */
export function signButton(sign, label, does) {
  return button(sign, does, { "aria-label": label, title: label });
}

/**
 * An element that the page's template has.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} id
 * @param {new () => E} [kind]  what it is
 * @returns {E}
 */
export function byId(id, kind = /** @type {new () => E} */ (HTMLElement)) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} #${id}`);
}

/**
 * All elements of a kind below a node.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => E} [kind]
 * @returns {E[]}
 */
export function all(root, selector, kind = /** @type {new () => E} */ (HTMLElement)) {
  return [...root.querySelectorAll(selector)].flatMap((one) => (one instanceof kind ? [one] : []));
}

/**
 * What is filled in, as a form without files is sent.
 * @param {HTMLFormElement} form
 * @param {HTMLElement|null} [by]  the button that was pressed
 */
export function filledIn(form, by = null) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, by)) body.append(name, String(value));
  return body;
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {(Child|Child[])[]} children
 * @returns {E}
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : harmless(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : harmless(child));
  }
  return element;
}
