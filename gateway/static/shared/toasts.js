// Short messages in the corner, read out by screen readers.

import { button, h } from "./elements.js";
import { messageOf, sentence } from "./words.js";

/**
 * Say something; it goes by itself, or by its button where it is an error.
 * @param {string} text
 * @param {"info" | "good" | "bad"} [kind]
 */
export function toast(text, kind = "info") {
  const close = button("Close", () => box.remove(), { class: "quiet small" });
  const box = h("div", { class: `toast ${kind}` }, h("p", {}, text), close);
  document.getElementById("toasts")?.append(box);
  if (kind !== "bad") setTimeout(() => box.remove(), 6000);
}

/**
 * Say what went wrong, until somebody closes it.
 * @param {unknown} error
 */
export function toastError(error) {
  toast(sentence(messageOf(error)), "bad");
}
