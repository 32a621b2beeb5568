/** What stands beside the transcript and answers clicks: scores with their evidence, model calls. */

import { h } from "../shared/elements.js";
import { toast } from "../shared/toasts.js";

/**
 * Listen to what is clicked on the page.
 * @param {any} stage  the page's `Stage`
 */
export function panels(stage) {
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const link = /** @type {HTMLElement} */ (event.target).closest("a");
    if (!link) return;
    const { viewer, turn, judged, evidence, quotes } = link.dataset;
    if (link.closest(".eyes") && viewer) stage.see(viewer).catch(say);
    else if (link.closest("#earlier")) stage.transcript.more();
    else if (turn) void showCalls(stage, `${stage.data.base}/calls/${turn}`, `Model calls of turn ${turn}`);
    else if (link.dataset.interviews !== undefined) void showInterviews(stage);
    else if (judged) void showCalls(stage, link.href, link.textContent ?? "");
    else if (link.matches(".score")) light(stage, link, evidence ?? "", quotes ?? "[]");
    else return;
    event.preventDefault();
  });
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.closest("#interviews-part")) return;
    event.preventDefault();
    void showInterviews(stage, form);
  });
  window.addEventListener("hashchange", () => stage.target());
}

/**
 * @param {any} stage
 * @param {HTMLElement} link
 * @param {string} evidence
 * @param {string} quotes
 */
function light(stage, link, evidence, quotes) {
  const item = link.closest("li");
  const chosen = item?.classList.contains("chosen");
  for (const one of document.querySelectorAll(".scores .chosen")) one.classList.remove("chosen");
  if (chosen) {
    stage.light([], []);
    return;
  }
  if (link.dataset.bare !== undefined) return;
  item?.classList.add("chosen");
  stage.light(evidence.split(" ").filter(Boolean).map(Number), JSON.parse(quotes));
}

/**
 * The scores on the page that rest on something.
 * @returns {import("./picture.js").Evidence[]}
 */
export function scoresShown() {
  /** @type {HTMLAnchorElement[]} */
  const links = [...document.querySelectorAll("#scores a.score:not([data-bare])")];
  return links.map((link) => {
    const text = (/** @type {string} */ name) => link.querySelector(name)?.textContent?.trim() ?? "";
    return {
      key: link.dataset.key ?? "",
      dimension: text(".dimension"),
      who: link.dataset.who ?? "",
      value: text(".value"),
      reason: link.closest("li")?.querySelector(".reason")?.textContent?.trim() ?? "",
      evidence: (link.dataset.evidence ?? "").split(" ").filter(Boolean).map(Number),
      quotes: JSON.parse(link.dataset.quotes ?? "[]"),
    };
  });
}

/**
 * Show calls in their panel.
 * @param {any} _stage
 * @param {string} url
 * @param {string} heading
 */
export async function showCalls(_stage, url, heading) {
  const panel = /** @type {HTMLElement} */ (document.getElementById("calls"));
  panel.hidden = false;
  panel.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(url, { headers: { "X-Part": "1" } });
    if (!answer.ok) throw new Error(`the calls cannot be loaded (${answer.status})`);
    // Rendered and escaped by the server.
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    const close = h("button", { type: "button", class: "quiet small", onclick: () => (panel.hidden = true) }, "Close");
    const title = h("h2", { tabindex: -1 }, heading);
    panel.replaceChildren(h("div", { class: "row spread" }, title, close), ...part.body.childNodes);
    panel.scrollIntoView({ block: "nearest" });
    title.focus({ preventScroll: true });
  } catch (error) {
    panel.hidden = true;
    say(error);
  } finally {
    panel.removeAttribute("aria-busy");
  }
}

/**
 * Show what characters were asked, or ask one.
 * @param {any} stage
 * @param {HTMLFormElement} [form]
 */
async function showInterviews(stage, form) {
  const place = /** @type {HTMLElement} */ (document.getElementById("interviews-part"));
  const mark = stage.following ? "" : `?at=${stage.course.marks[stage.place - 1] ?? ""}`;
  place.setAttribute("aria-busy", "true");
  for (const button of place.querySelectorAll("button")) button.disabled = true;
  try {
    const sent = form
      ? { method: "POST", body: new URLSearchParams(/** @type {any} */ (new FormData(form))) }
      : {};
    const answer = await fetch(`${stage.data.base}/interviews${mark}`, { ...sent, headers: { "X-Part": "1" } });
    if (!answer.ok) throw new Error(`the interviews cannot be loaded (${answer.status})`);
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    place.replaceChildren(...part.body.childNodes);
    const last = [...place.querySelectorAll(".answer")].at(-1);
    (form && last ? last : place).scrollIntoView({ block: "nearest" });
    if (!form) /** @type {HTMLElement|null} */ (place.querySelector("textarea"))?.focus({ preventScroll: true });
  } catch (error) {
    for (const button of place.querySelectorAll("button")) button.disabled = false;
    say(error);
  } finally {
    place.removeAttribute("aria-busy");
  }
}

/** @param {unknown} error */
function say(error) {
  toast(error instanceof Error ? error.message : String(error), "bad");
}
