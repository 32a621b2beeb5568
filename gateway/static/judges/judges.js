// The choice of judges: another run has other judges, and two judges can be swapped.

const form = /** @type {HTMLFormElement} */ (document.getElementById("choose"));
const swap = /** @type {HTMLButtonElement | null} */ (document.getElementById("swap"));

form?.elements.namedItem("run")?.addEventListener("change", (event) => {
  const run = /** @type {HTMLSelectElement} */ (event.target).value;
  location.assign(`/judges?run=${encodeURIComponent(run)}`);
});
if (swap) {
  swap.hidden = false;
  swap.addEventListener("click", () => {
    const a = /** @type {HTMLSelectElement} */ (form.elements.namedItem("a"));
    const b = /** @type {HTMLSelectElement} */ (form.elements.namedItem("b"));
    [a.value, b.value] = [b.value, a.value];
    form.requestSubmit();
  });
}
