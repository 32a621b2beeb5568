// Keeps the numbers of a study's page fresh, and asks before what cannot be taken back.

import { showTimes } from "../shared/times.js";

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const every = Number(live.dataset.every) * 1000;
let last = live.innerHTML;

async function refresh() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    // Our own server's page, in which every text is escaped.
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = fresh.getElementById("live");
    const status = fresh.getElementById("status");
    if (!now || now.innerHTML === last || live.contains(document.activeElement)) return;
    last = now.innerHTML;
    live.replaceChildren(...now.childNodes);
    showTimes(live);
    const own = document.getElementById("status");
    if (own && status && own.textContent !== status.textContent) location.reload();
  } catch {
    // The next look will tell.
  }
}

setInterval(refresh, every);

for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    const words = /** @type {HTMLElement} */ (form).dataset.confirm ?? "";
    if (!window.confirm(words)) event.preventDefault();
  });
}

const copy = document.getElementById("copy");
if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById("link")?.textContent ?? "");
    copy.textContent = "Copied";
  });
}
