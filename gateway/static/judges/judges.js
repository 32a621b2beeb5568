// The choice of judges: another run has other judges, and two judges can be swapped.

import { all } from "../shared/elements.js";

for (const run of all(document, "#choose [name=run]", HTMLSelectElement)) {
  run.addEventListener("change", () => location.assign(`/judges?run=${encodeURIComponent(run.value)}`));
}
for (const swap of all(document, "#swap")) {
  swap.hidden = false;
  swap.addEventListener("click", () => {
    const [a, b] = all(document, "#choose [name=a], #choose [name=b]", HTMLSelectElement);
    [a.value, b.value] = [b.value, a.value];
    a.form?.requestSubmit();
  });
}
