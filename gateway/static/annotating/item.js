// One item: drafts that are kept as one types, quotes picked from the episode, what each seat knew,
// and keys. Without this module the form still works; only quotes cannot be picked.

import { keepDrafts } from "./drafts.js";
import { useKeys } from "./keys.js";
import { pickQuotes } from "./quotes.js";
import { isOpen, rowsOf } from "./rows.js";
import { seeAs } from "./seeing.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("answers"));
const counted = /** @type {HTMLElement} */ (document.getElementById("answered"));

/** Say how many answers are there. */
function count() {
  const rows = rowsOf(form);
  const open = rows.filter(isOpen).length;
  counted.textContent = `${rows.length - open} of ${rows.length} answered`;
}

/** A slider and its number say the same. */
function bindSliders() {
  for (const slider of form.querySelectorAll("[data-slider]")) {
    const range = /** @type {HTMLInputElement} */ (slider);
    const number = /** @type {HTMLInputElement} */ (range.parentElement?.querySelector("[type=number]"));
    range.hidden = false;
    range.addEventListener("input", () => {
      number.value = String(Math.round(Number(range.value) * 100) / 100);
    });
    number.addEventListener("input", () => {
      if (number.value !== "") range.value = number.value;
    });
  }
}

/** Who cannot tell gives no value, and who gives one can tell. */
function oneOrTheOther(event) {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const row = field.closest(".answer");
  if (!row || !field.name) return;
  if (field.name.startsWith("abstained.") && field.checked) {
    for (const value of row.querySelectorAll('[name^="value."]')) {
      const input = /** @type {HTMLInputElement} */ (value);
      if (input.type === "radio") input.checked = false;
      else input.value = "";
    }
  } else if (field.name.startsWith("value.") && field.value !== "") {
    const abstained = /** @type {HTMLInputElement | null} */ (row.querySelector('[name^="abstained."]'));
    if (abstained) abstained.checked = false;
  }
}

bindSliders();
form.addEventListener("input", oneOrTheOther);
form.addEventListener("input", count);
const quotes = pickQuotes(form);
const drafts = keepDrafts(form);
quotes.changed = drafts.changed;
seeAs();
useKeys(form, quotes);
form.addEventListener("submit", () => drafts.stop());
count();
document.getElementById("faults")?.focus();
