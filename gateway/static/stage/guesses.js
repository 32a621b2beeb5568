/** What a watcher guesses, kept at the moment that is looked at. For researchers. */

import { fetchPart } from "./panels.js";

/** @import { Stage } from "./stage.js" */

/** Who goes on stepping is not asked for each step. */
const SOON_MS = 150;

/** @param {Stage} stage */
export function guesses(stage) {
  const place = document.getElementById("guesses-part");
  if (!place) return;
  let shown = Number(place.dataset.at ?? -1);
  /** @type {number|undefined} */
  let waiting;
  const show = async () => {
    const mark = stage.course.marks[stage.place - 1] ?? -1;
    if (mark === shown) return;
    shown = mark;
    const open = [...place.querySelectorAll("details")].map((one) => one.open);
    try {
      const nodes = await fetchPart(`${stage.data.base}/guesses?at=${mark}`, "the guesses");
      // Another moment may be looked at by now.
      if (mark !== shown) return;
      place.replaceChildren(...nodes);
      place.querySelectorAll("details").forEach((one, at) => (one.open = open[at] ?? false));
    } catch (error) {
      shown = -1;
      console.warn("the guesses cannot be shown:", error);
    }
  };
  stage.watchers.push(() => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void show(), SOON_MS);
  });
}
