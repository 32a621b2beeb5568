// Tables that stand in a page as text are saved as files, too.

import { all, button, h } from "../shared/elements.js";

for (const area of all(document, "textarea[data-file]", HTMLTextAreaElement)) {
  const name = area.dataset.file ?? "table.csv";
  const save = () => {
    const link = h("a", { download: name });
    link.href = URL.createObjectURL(new Blob([area.value], { type: "text/plain" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  area.after(button(`Save ${name}`, save, { class: "small quiet" }));
}
