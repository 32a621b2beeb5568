// Two runs are compared: the button says how many are marked, and a third mark takes the place of
// the first.

import { all } from "../shared/elements.js";

const [button] = all(document, "#compare-button", HTMLButtonElement);
const hint = document.getElementById("compare-hint");
const boxes = all(document, 'input[name="run"][form="compare"]', HTMLInputElement);
/** @type {HTMLInputElement[]} */
let marked = [];

function show() {
  if (!button || !hint) return;
  button.disabled = marked.length !== 2;
  hint.textContent = ["Mark two runs to see them side by side.", "Mark one more.", ""][marked.length] ?? "";
}

for (const box of boxes) {
  box.checked = false;
  box.addEventListener("change", () => {
    marked = marked.filter((one) => one !== box);
    if (box.checked) marked.push(box);
    for (const old of marked.splice(0, marked.length - 2)) old.checked = false;
    show();
  });
}
show();

// Filters apply at once; the button is for who has no script.
for (const select of all(document, "form.finder select", HTMLSelectElement)) {
  select.addEventListener("change", () => select.form?.requestSubmit());
}
