// The list of a run's episodes as one long list. The address holds what is asked for; without this
// module the same page has links to the pages before and after.

import { byId, h } from "../shared/elements.js";
import { toastError } from "../shared/toasts.js";
import { counted } from "../shared/words.js";
import { VirtualList } from "./virtual.js";

/** @typedef {{id: string, title: string, who: [string, string][], status: string, ending: string,
 *   turns: number, failures: number, lasted_s: number | null, scores: (number | null)[],
 *   missing: boolean, fork: boolean}} Row */
/** @typedef {{rows: Row[], total: number, scored_by: string}} Listing */

const settings = JSON.parse(document.getElementById("listing")?.textContent ?? "{}");
const box = byId("rows");
const list = /** @type {HTMLOListElement} */ (box.querySelector("ol"));
const form = byId("finder", HTMLFormElement);
const found = byId("found");
const take = byId("take", HTMLAnchorElement);
const path = location.pathname.replace(/\/$/, "");

/** @param {number} seconds */
function lasting(seconds) {
  if (seconds < 99.5) return seconds < 9.95 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** What the form asks for, as an address has it; what is as usual is left out. */
function asked() {
  const given = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    const usual = (name === "sort" && text === "plan") || (["judge", "dimension"].includes(name) && isFirst(name, text));
    if (text && !usual) given.set(name, text);
  }
  return given;
}

/** @param {string} name @param {string} value */
function isFirst(name, value) {
  const select = form.elements.namedItem(name);
  return select instanceof HTMLSelectElement && name === "judge" && select.options[0]?.value === value;
}

/**
 * @param {URLSearchParams} given
 * @param {number} start
 * @param {AbortSignal} [signal]
 * @returns {Promise<Listing>}
 */
async function fetchRows(given, start, signal) {
  const query = new URLSearchParams(given);
  if (start) query.set("start", String(start));
  const answer = await fetch(`${path}.json?${query}`, { signal });
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    throw new Error(problem.detail ?? `the server answered ${answer.status}`);
  }
  return answer.json();
}

function make() {
  const parts = ["title", "scores", "cast", "marks"].map((name) => h("span", { class: name }));
  return h("li", {}, h("a", { class: "line" }, ...parts));
}

/** @param {HTMLElement} item @param {Row | undefined} row */
function fill(item, row) {
  const line = /** @type {HTMLAnchorElement} */ (item.firstElementChild);
  const [title, scores, who, marks] = line.children;
  line.classList.toggle("waiting", row === undefined);
  if (row === undefined) {
    line.removeAttribute("href");
    title.textContent = "…";
    for (const one of [scores, who, marks]) one.textContent = "";
    return;
  }
  line.href = `/episodes/${encodeURIComponent(row.id)}`;
  title.textContent = row.title;
  scores.replaceChildren(...row.scores.map((value) => h("b", {}, value === null ? "—" : value.toFixed(2).replace("-", "−"))));
  who.replaceChildren(
    ...row.who.flatMap(([name, mind], place) => [
      ...(place ? [", "] : []),
      ...(name ? [`${name} `] : []),
      h("i", {}, mind),
    ]),
  );
  const words = { failed: "given up", ended: row.ending }[row.status] ?? row.status;
  const rest = [words, counted(row.turns, "turn")];
  if (row.lasted_s !== null) rest.push(lasting(row.lasted_s));
  marks.replaceChildren(
    ...(row.failures ? [h("b", { class: "bad" }, `${row.failures} failed`), " "] : []),
    ...(row.missing ? [h("b", { class: "warn" }, "scores missing"), " "] : []),
    `${row.fork ? "fork " : ""}${rest.join(" · ")}`,
  );
}

let given = asked();
/** @type {VirtualList<Row>} */
const virtual = new VirtualList({
  box,
  list,
  chunk: settings.chunk,
  fetch: (start, signal) => fetchRows(given, start, signal),
  make,
  fill,
});

/** @param {Listing} listing */
function tell(listing) {
  const by = listing.scored_by ? `. Scores: ${listing.scored_by}, one a seat` : "";
  found.textContent = `${counted(listing.total, "episode")}${by}.`;
  take.href = `${path}.csv?${given}`;
}

let turn = 0;

/** @param {boolean} [remember] put it into the history */
async function change(remember = true) {
  const mine = (turn += 1);
  given = asked();
  box.classList.add("busy");
  try {
    const listing = await fetchRows(given, 0);
    if (mine !== turn) return;
    tell(listing);
    virtual.reset(listing);
    if (remember) history.replaceState(null, "", `${path}${given.size ? `?${given}` : ""}`);
    performance.mark("episodes-shown", { detail: listing.total });
  } catch (error) {
    if (mine === turn) toastError(error);
  } finally {
    if (mine === turn) box.classList.remove("busy");
  }
}

list.replaceChildren();
box.classList.add("on");
document.getElementById("pages")?.remove();
document.getElementById("none")?.remove();
document.getElementById("apply")?.remove();
const keys = document.getElementById("keys");
if (keys) keys.hidden = false;
const first = /** @type {Listing & {start: number}} */ (settings.first);
if (first.start || new URLSearchParams(location.search).has("after")) change(false);
else virtual.reset(first);
performance.mark("episodes-first");

let timer = 0;
form.addEventListener("input", (event) => {
  clearTimeout(timer);
  const typing = event.target instanceof HTMLInputElement && event.target.type !== "checkbox";
  const judge = event.target instanceof HTMLSelectElement && event.target.name === "judge";
  if (judge) form.requestSubmit(); // another judge has other dimensions
  else timer = window.setTimeout(change, typing ? 100 : 0);
});
form.addEventListener("submit", (event) => {
  if (event.submitter === null && document.activeElement instanceof HTMLSelectElement) return;
  event.preventDefault();
  change();
});
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    /** @type {HTMLInputElement} */ (form.elements.namedItem("q")).focus();
  } else if (event.key === "ArrowDown" && event.target === form.elements.namedItem("q")) {
    event.preventDefault();
    virtual.go(virtual.active);
  }
});
