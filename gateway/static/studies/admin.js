// Keeps the numbers of a study's page fresh.

import { byId } from "../shared/elements.js";
import { showTimes } from "../shared/times.js";

const live = byId("live");
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
