// The rows of the form: one seat in one dimension each, and perhaps an attention check.

import { all } from "../shared/elements.js";

/** @param {ParentNode} form */
export function rowsOf(form) {
  return all(form, "fieldset.answer", HTMLFieldSetElement);
}

/**
 * The row that something is in.
 * @param {EventTarget|null} target
 */
export function rowAt(target) {
  const row = target instanceof Element ? target.closest("fieldset.answer") : null;
  return row instanceof HTMLFieldSetElement ? row : null;
}

/**
 * The value that a row has, as text; empty: none.
 * @param {HTMLFieldSetElement} row
 */
export function valueOf(row) {
  if ("word" in row.dataset) return reasonIn(row).trim() ? "1" : "";
  const name = "check" in row.dataset ? "check" : `value.${row.dataset.key}`;
  const chosen = row.querySelector(`[name="${name}"]:checked, [type="number"][name="${name}"]`);
  return /** @type {HTMLInputElement | null} */ (chosen)?.value ?? "";
}

/**
 * Whether something is left to do in a row.
 * @param {HTMLFieldSetElement} row
 */
export function isOpen(row) {
  if ("check" in row.dataset) return valueOf(row) === "";
  if (!reasonIn(row).trim()) return true;
  if (abstainedIn(row)) return false;
  const value = valueOf(row);
  if (value === "") return true;
  return "needsQuote" in row.dataset && Number(value) === 0 && quotesOf(row).length === 0;
}

/** @param {HTMLFieldSetElement} row */
function reasonIn(row) {
  const field = row.querySelector('[name^="reason."]');
  return /** @type {HTMLTextAreaElement|HTMLInputElement|null} */ (field)?.value ?? "";
}

/** @param {HTMLFieldSetElement} row */
function abstainedIn(row) {
  const box = /** @type {HTMLInputElement|null} */ (row.querySelector('[name^="abstained."]'));
  return box?.checked ?? false;
}

/**
 * @typedef {object} Quote
 * @property {number} number
 * @property {string} text
 */

/**
 * @param {HTMLFieldSetElement} row
 * @returns {Quote[]}
 */
export function quotesOf(row) {
  const field = /** @type {HTMLInputElement | null} */ (row.querySelector('[name^="quotes."]'));
  return field?.value ? JSON.parse(field.value) : [];
}

/**
 * What a row says, as the server keeps it.
 * @param {HTMLFieldSetElement} row
 */
export function answerOf(row) {
  const abstained = abstainedIn(row);
  const value = abstained ? "" : valueOf(row);
  const quotes = quotesOf(row);
  return {
    seat: Number(row.dataset.seat),
    dimension: row.dataset.dimension,
    value: value === "" ? null : Number(value),
    abstained,
    reason: reasonIn(row),
    evidence: quotes.map((one) => one.number),
    quotes: quotes.map((one) => one.text),
  };
}
