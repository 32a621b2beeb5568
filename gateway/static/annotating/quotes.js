// Quotes: words selected in the episode, or a whole line by its button, go to the answer that one is
// at, and can be cut shorter there.

import { all, button, byId, h } from "../shared/elements.js";
import { toast } from "../shared/toasts.js";
import { quotesOf, rowAt, rowsOf } from "./rows.js";

/** @import { Quote } from "./rows.js" */

const MOST = 20;

/**
 * @param {HTMLFormElement} form
 * @returns {{changed: (row: HTMLFieldSetElement) => void, take: () => boolean, current: () => HTMLFieldSetElement | null}}
 */
export function pickQuotes(form) {
  const here = byId("quote-here");
  const lines = byId("lines");
  /** @type {HTMLFieldSetElement | null} */
  let current = null;
  /** @type {ReturnType<typeof pickQuotes>} */
  const handle = { changed: () => {}, take, current: () => current };

  /** @param {HTMLFieldSetElement} row */
  function choose(row) {
    // Nothing here may move the form: it happens between the press and the release of a button.
    current?.classList.remove("current");
    current = row;
    row.classList.add("current");
  }

  /**
   * @param {HTMLFieldSetElement} row
   * @param {Quote[]} quotes
   */
  function put(row, quotes) {
    const field = /** @type {HTMLInputElement} */ (row.querySelector('[name^="quotes."]'));
    field.value = JSON.stringify(quotes);
    show(row);
    handle.changed(row);
    row.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** @param {HTMLFieldSetElement} row */
  function show(row) {
    const list = row.querySelector(".quotes");
    if (!list) return;
    const quotes = quotesOf(row);
    const of = (/** @type {number} */ at) => `${at + 1}, ${row.dataset.label}`;
    list.replaceChildren(
      ...quotes.map((quote, at) => {
        const text = h("input", { type: "text", value: quote.text, "aria-label": `Quote ${of(at)}` });
        text.addEventListener("change", () => {
          quotes[at] = { number: quote.number, text: text.value.trim() };
          put(row, quotes.filter((one) => one.text));
        });
        const remove = () => put(row, quotes.filter((_, other) => other !== at));
        return h(
          "li",
          {},
          h("a", { class: "small", href: `#event-${quote.number}` }, `#${quote.number}`),
          text,
          button("Remove", remove, { class: "quiet small", "aria-label": `Remove quote ${of(at)}` }),
        );
      }),
    );
  }

  /**
   * @param {number} number
   * @param {string} text
   */
  function add(number, text) {
    const row = current ?? rowsOf(form).find((one) => !("check" in one.dataset)) ?? null;
    if (!row || "check" in row.dataset) return;
    choose(row);
    const quotes = quotesOf(row);
    if (quotes.length >= MOST) {
      toast(`An answer has at most ${MOST} quotes.`, "bad");
      return;
    }
    if (!quotes.some((one) => one.number === number && one.text === text)) {
      put(row, [...quotes, { number, text }]);
    }
    toast(`Quoted for ${row.dataset.label}.`, "good");
  }

  /** What is selected, where that is within one line. */
  function selected() {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    const within = range.commonAncestorContainer;
    const element = within instanceof Element ? within : within.parentElement;
    const words = element?.closest(".words");
    if (!words || !lines.contains(words)) return null;
    const line = /** @type {HTMLElement} */ (words.closest(".line"));
    const text = selection.toString().replace(/\s+/g, " ").trim();
    return text ? { number: Number(line.dataset.number), text, box: range.getBoundingClientRect() } : null;
  }

  /** Quote what is selected; whether anything was. */
  function take() {
    const found = selected();
    if (!found) return false;
    add(found.number, found.text);
    getSelection()?.removeAllRanges();
    here.hidden = true;
    return true;
  }

  document.addEventListener("selectionchange", () => {
    const found = selected();
    here.hidden = !found;
    if (!found) return;
    here.textContent = current ? `Quote for ${current.dataset.label}` : "Quote";
    // Positions set by a script are no inline styles: the policy lets them be.
    here.style.left = `${Math.max(8, Math.min(found.box.left, innerWidth - here.offsetWidth - 8)) + scrollX}px`;
    here.style.top = `${found.box.bottom + scrollY + 6}px`;
  });
  // Pressing it must not take the selection away.
  here.addEventListener("pointerdown", (event) => event.preventDefault());
  here.addEventListener("click", take);
  for (const whole of all(lines, ".quote-line")) {
    whole.hidden = false;
    whole.addEventListener("click", () => {
      const line = /** @type {HTMLElement} */ (whole.closest(".line"));
      const said = line.querySelector(".said") ?? line.querySelector(".words");
      add(Number(line.dataset.number), (said?.textContent ?? "").replace(/\s+/g, " ").trim());
    });
  }
  form.addEventListener("focusin", (event) => {
    const row = rowAt(event.target);
    if (row) choose(row);
  });
  for (const row of rowsOf(form)) show(row);
  return handle;
}
