// What one seat knew: what was given to it, and which lines it did not notice.

export function seeAs() {
  const choose = /** @type {HTMLElement} */ (document.getElementById("seeing"));
  choose.hidden = false;
  const buttons = [...choose.querySelectorAll("button")];
  for (const button of buttons) button.addEventListener("click", () => show(button.dataset.seat ?? ""));

  /** @param {string} seat */
  function show(seat) {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.seat === seat));
    }
    for (const given of document.querySelectorAll(".given")) {
      const details = /** @type {HTMLDetailsElement} */ (given);
      details.hidden = details.dataset.of !== seat;
      if (seat !== "") details.open = true;
    }
    for (const line of document.querySelectorAll(".line")) {
      const from = /** @type {HTMLElement} */ (line).dataset.hidden?.split(" ") ?? [];
      line.classList.toggle("not-noticed", seat !== "" && from.includes(seat));
      for (const badge of line.querySelectorAll(".unseen")) {
        const of = /** @type {HTMLElement} */ (badge);
        of.hidden = seat === "" || of.dataset.seat !== seat;
      }
    }
  }

  show("");
}
