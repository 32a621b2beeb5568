// Keys for the whole form; those of one letter only outside of texts.

import { all, byId } from "../shared/elements.js";
import { isOpen, rowsOf } from "./rows.js";

/**
 * @param {HTMLFormElement} form
 * @param {{take: () => boolean, current: () => HTMLFieldSetElement | null}} quotes
 */
export function useKeys(form, quotes) {
  const help = byId("help", HTMLDialogElement);
  const opener = byId("help-open");
  const next = byId("next-open");
  opener.hidden = next.hidden = false;
  opener.addEventListener("click", () => help.showModal());
  next.addEventListener("click", toNextOpen);

  /** @param {number} by */
  function step(by) {
    const rows = rowsOf(form);
    const at = quotes.current();
    const place = at ? rows.indexOf(at) + by : 0;
    go(rows[Math.max(0, Math.min(rows.length - 1, place))]);
  }

  function toNextOpen() {
    const rows = rowsOf(form);
    const at = quotes.current();
    const from = at ? rows.indexOf(at) + 1 : 0;
    const open = [...rows.slice(from), ...rows.slice(0, from)].find(isOpen);
    if (open) go(open);
    else all(form, ".hand-in .primary")[0]?.focus();
  }

  /** @param {HTMLFieldSetElement} row */
  function go(row) {
    const [field] = all(row, "input:checked, input[type=radio], input[type=number], input[type=text], textarea");
    field?.focus({ preventScroll: true });
    row.scrollIntoView({ block: "center" });
  }

  /** @param {HTMLFieldSetElement | null} row */
  function write(row) {
    if (row) all(row, "textarea, input[type=text]")[0]?.focus();
  }

  /** @type {Record<string, () => unknown>} */
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    n: toNextOpen,
    w: () => write(quotes.current()),
    e: () => document.getElementById("episode")?.focus(),
    q: () => quotes.take(),
    "?": () => help.showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
      return;
    }
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    const typing = target.matches("textarea, input[type=text], input[type=number]");
    if (event.key === "Escape" && typing) {
      target.blur();
      return;
    }
    if (typing || help.open || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keys[event.key];
    if (key) {
      event.preventDefault();
      key();
    }
  });
}
