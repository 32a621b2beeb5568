// Short messages in the corner, read out by screen readers.

/**
 * Say something; it goes by itself, or by its button where it is an error.
 * @param {string} text
 * @param {"info" | "good" | "bad"} [kind]
 */
export function toast(text, kind = "info") {
  const box = document.createElement("div");
  box.className = `toast ${kind}`;
  const words = document.createElement("p");
  words.textContent = text;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "quiet small";
  close.textContent = "Close";
  close.addEventListener("click", () => box.remove());
  box.append(words, close);
  document.getElementById("toasts")?.append(box);
  if (kind !== "bad") setTimeout(() => box.remove(), 6000);
}
