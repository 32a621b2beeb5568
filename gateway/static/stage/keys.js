/** The keyboard: what each key does, and the overlay that says so. */

import { h } from "../shared/elements.js";

/**
 * @typedef {object} Key
 * @property {string} key  as `KeyboardEvent.key`; `Shift+` before it where that is held
 * @property {string} does
 * @property {(event: KeyboardEvent) => void} run
 * @property {string} [shown]  how the overlay calls it; empty: it is left out
 */

/**
 * Listen to keys, and have `?` show them.
 * @param {Key[]} keys
 */
export function listen(keys) {
  const all = [...keys, { key: "?", does: "This help", run: () => box.showModal() }];
  const box = overlay(all);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { target } = event;
    if (!(target instanceof Element)) return;
    const slider = target.matches('input[type="range"]');
    if (!slider && target.closest("input, select, textarea, dialog[open], [contenteditable]")) return;
    const named = event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key;
    const found = all.find((one) => one.key === named);
    if (!found || (slider && /^(Arrow|Home|End)/.test(event.key))) return;
    event.preventDefault();
    found.run(event);
  });
  return () => box.showModal();
}

/** @param {Key[]} keys */
function overlay(keys) {
  const rows = keys
    .filter((one) => one.shown !== "")
    .flatMap((one) => [
      h("dt", {}, ...(one.shown ?? one.key).split(" ").map((name) => h("kbd", {}, name))),
      h("dd", {}, one.does),
    ]);
  const box = h(
    "dialog",
    { "aria-label": "Keyboard" },
    h("h2", {}, "Keyboard"),
    h("dl", { class: "keys" }, ...rows),
    h("form", { method: "dialog" }, h("p", {}, h("button", {}, "Close"))),
  );
  document.body.append(box);
  return box;
}
