// Times as the reader's own clock and language say them.

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/**
 * Rewrite each `<time datetime>` below a node; the exact time is its tooltip.
 * @param {ParentNode} root
 */
export function showTimes(root) {
  for (const element of root.querySelectorAll("time[datetime]")) {
    const at = new Date(/** @type {HTMLTimeElement} */ (element).dateTime);
    if (Number.isNaN(at.getTime())) continue;
    element.textContent = full.format(at);
    /** @type {HTMLElement} */ (element).title = exact.format(at);
  }
}
