// On every page: times in the reader's zone, the current page's entry in view, a question before what
// cannot be taken back, and buttons that copy.

import { all } from "./elements.js";
import { showTimes } from "./times.js";

showTimes(document);
document.querySelector("header.site [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

document.addEventListener("submit", (event) => {
  const words = event.target instanceof HTMLFormElement ? event.target.dataset.confirm : undefined;
  if (words && !window.confirm(words)) event.preventDefault();
});

// There is none where the page does not come over HTTPS.
if (navigator.clipboard) {
  for (const button of all(document, "button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy ?? "")?.textContent ?? "");
      button.textContent = "Copied";
    });
  }
}
