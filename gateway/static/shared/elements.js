/**
 * Elements made of plain values. Text goes in as text: nothing that anybody wrote is ever markup.
 */

import { harmless } from "./harmless.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children.
 *
 * `attributes`: `class`, `for`, `aria-…` and all others as in HTML; `true` sets one without a value;
 * `false`, `null` and `undefined` leave it out; a function under `onclick`, `onsubmit`, … listens.
 * Children are elements or texts; a text is made harmless; `null`, `undefined` and `false` are
 * skipped.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * The same in SVG.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 * @returns {E}
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : harmless(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : harmless(child));
  }
  return element;
}
