// One item: drafts that are kept as one types, quotes picked from the episode, what each seat knew,
// and keys. Without this module the form still works; only quotes cannot be picked.

import { all, byId } from "../shared/elements.js";
import { keepDrafts } from "./drafts.js";
import { useKeys } from "./keys.js";
import { pickQuotes } from "./quotes.js";
import { isOpen, rowAt, rowsOf } from "./rows.js";
import { seeAs } from "./seeing.js";

const form = byId("answers", HTMLFormElement);
const counted = byId("answered");

/** Say how many answers are there. */
function count() {
  const rows = rowsOf(form);
  const open = rows.filter(isOpen).length;
  counted.textContent = `${rows.length - open} of ${rows.length} answered`;
}

/** A slider and its number say the same. */
function bindSliders() {
  for (const range of all(form, "[data-slider]", HTMLInputElement)) {
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

/** Who cannot tell gives no value, and who gives one can tell. @param {Event} event */
function oneOrTheOther({ target }) {
  const row = rowAt(target);
  if (!row || !(target instanceof HTMLInputElement)) return;
  if (target.name.startsWith("abstained.") && target.checked) {
    for (const input of all(row, '[name^="value."]', HTMLInputElement)) {
      if (input.type === "radio") input.checked = false;
      else input.value = "";
    }
  } else if (target.name.startsWith("value.") && target.value !== "") {
    for (const abstained of all(row, '[name^="abstained."]', HTMLInputElement)) abstained.checked = false;
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
