// The words of a reminder open below their link; without this module the link leads to them.

import { all, h } from "../shared/elements.js";

for (const link of all(document, "a.reminder", HTMLAnchorElement)) {
  link.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const shown = link.parentElement?.nextElementSibling;
    if (shown?.matches("pre")) {
      shown.remove();
      return;
    }
    const answer = await fetch(link.href).catch(() => null);
    if (!answer?.ok) {
      location.assign(link.href);
      return;
    }
    link.parentElement?.after(h("pre", { class: "reminded", tabindex: "0" }, await answer.text()));
  });
}
