// Tables that stand in a page as text are saved as files, too.

for (const area of document.querySelectorAll("textarea[data-file]")) {
  const name = /** @type {HTMLElement} */ (area).dataset.file ?? "table.csv";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small quiet";
  button.textContent = `Save ${name}`;
  button.addEventListener("click", () => {
    const file = new Blob([/** @type {HTMLTextAreaElement} */ (area).value], { type: "text/plain" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
  area.after(button);
}
