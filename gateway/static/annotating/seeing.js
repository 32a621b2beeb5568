// What one seat knew: what was given to it, and which lines it did not notice.

import { all, byId } from "../shared/elements.js";

export function seeAs() {
  const choose = byId("seeing");
  choose.hidden = false;
  const buttons = [...choose.querySelectorAll("button")];
  for (const button of buttons) button.addEventListener("click", () => show(button.dataset.seat ?? ""));

  /** @param {string} seat */
  function show(seat) {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.seat === seat));
    }
    for (const details of all(document, ".given", HTMLDetailsElement)) {
      details.hidden = details.dataset.of !== seat;
      if (seat !== "") details.open = true;
    }
    for (const line of all(document, ".line")) {
      const from = line.dataset.hidden?.split(" ") ?? [];
      line.classList.toggle("not-noticed", seat !== "" && from.includes(seat));
      for (const badge of all(line, ".unseen")) badge.hidden = seat === "" || badge.dataset.seat !== seat;
    }
  }

  show("");
}
