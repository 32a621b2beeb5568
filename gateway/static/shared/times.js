// Times as the reader's own clock and language say them.

import { all } from "./elements.js";

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/**
 * Rewrite each `<time datetime>` below a node; the exact time is its tooltip.
 * @param {ParentNode} root
 */
export function showTimes(root) {
  for (const element of all(root, "time[datetime]", HTMLTimeElement)) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    element.textContent = full.format(at);
    element.title = exact.format(at);
  }
}
