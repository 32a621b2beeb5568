// What is typed is kept on the server: what changed, a moment after the last key, and at once when
// the page goes out of sight. Time counts only while the page is looked at.

import { byId } from "../shared/elements.js";
import { answerOf, rowAt, valueOf } from "./rows.js";

const AFTER_MS = 700;
const AGAIN_MS = 4000;
const IDLE_MS = 60_000;

/**
 * @param {HTMLFormElement} form
 * @returns {{changed: (row: HTMLFieldSetElement) => void, stop: () => void}}
 */
export function keepDrafts(form) {
  const said = byId("saved");
  const seconds = /** @type {HTMLInputElement} */ (form.elements.namedItem("seconds"));
  /** @type {Set<HTMLFieldSetElement>} */
  const waiting = new Set();
  let timer = 0;
  let stopped = false;
  let counted = Number(seconds.value) || 0;
  let last = performance.now();
  let active = last;

  /** Count what has passed since the last time, if somebody was there. */
  function count() {
    const now = performance.now();
    if (now - active < IDLE_MS) counted += (now - last) / 1000;
    last = now;
    seconds.value = counted.toFixed(1);
  }

  function here() {
    const now = performance.now();
    if (now - active >= IDLE_MS) last = now;
    active = now;
  }

  /** @param {HTMLFieldSetElement} row */
  function changed(row) {
    waiting.add(row);
    said.textContent = "";
    clearTimeout(timer);
    timer = setTimeout(keep, AFTER_MS);
  }

  async function keep() {
    clearTimeout(timer);
    if (stopped || !waiting.size) return;
    count();
    const rows = [...waiting];
    waiting.clear();
    const check = rows.find((row) => "check" in row.dataset);
    const value = check ? valueOf(check) : "";
    const body = {
      answers: rows.filter((row) => row !== check).map(answerOf),
      check: value === "" ? null : Number(value),
      seconds: counted,
    };
    try {
      const answer = await fetch(form.dataset.draft ?? "", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        keepalive: true,
      });
      if (answer.ok) {
        if (!waiting.size) said.textContent = "Saved";
        return;
      }
      const problem = await answer.json().catch(() => ({}));
      said.textContent = `Not saved: ${problem.detail ?? answer.statusText}`;
      if (answer.status < 500 && answer.status !== 429) return;
    } catch {
      said.textContent = "Not saved: the server does not answer. It is tried again.";
    }
    for (const row of rows) waiting.add(row);
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(keep, AGAIN_MS);
  }

  form.addEventListener("input", (event) => {
    const row = rowAt(event.target);
    if (row) changed(row);
  });
  for (const kind of ["pointerdown", "keydown", "wheel", "touchmove"]) {
    document.addEventListener(kind, here, { passive: true });
  }
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") {
      count();
      keep();
      active = -IDLE_MS;
    } else {
      here();
    }
  });
  addEventListener("pagehide", keep);
  setInterval(count, 5000);
  return {
    changed,
    stop() {
      count();
      stopped = true;
      clearTimeout(timer);
    },
  };
}
