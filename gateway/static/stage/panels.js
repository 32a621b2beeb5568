/** What stands beside the transcript and answers clicks: scores with their evidence, model calls. */

import { all, button, byId, filledIn, h } from "../shared/elements.js";
import { toastError } from "../shared/toasts.js";

/** @import { Evidence } from "./picture.js" */
/** @import { Stage } from "./stage.js" */

/**
 * Listen to what is clicked on the page.
 * @param {Stage} stage
 */
export function panels(stage) {
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link) return;
    const { viewer, turn, judged, evidence, quotes } = link.dataset;
    if (link.closest(".eyes") && viewer) stage.see(viewer).catch(toastError);
    else if (link.closest("#earlier")) stage.transcript.more();
    else if (turn) void showCalls(`${stage.data.base}/calls/${turn}`, `Model calls of turn ${turn}`);
    else if (link.dataset.interviews !== undefined) void showInterviews(stage);
    else if (judged) void showCalls(link.href, link.textContent ?? "");
    else if (link.matches(".score")) light(stage, link, evidence ?? "", quotes ?? "[]");
    else return;
    event.preventDefault();
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement && form.closest("#interviews-part"))) return;
    event.preventDefault();
    void showInterviews(stage, form);
  });
  window.addEventListener("hashchange", () => stage.target());
}

/**
 * @param {Stage} stage
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
 * @returns {Evidence[]}
 */
export function scoresShown() {
  return all(document, "#scores a.score:not([data-bare])").map((link) => {
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
 * @param {string} url
 * @param {string} heading
 */
export async function showCalls(url, heading) {
  const panel = byId("calls");
  panel.hidden = false;
  panel.setAttribute("aria-busy", "true");
  try {
    const nodes = await fetchPart(url, "the calls");
    const close = button("Close", () => (panel.hidden = true), { class: "quiet small" });
    const title = h("h2", { tabindex: -1 }, heading);
    panel.replaceChildren(h("div", { class: "row spread" }, title, close), ...nodes);
    panel.scrollIntoView({ block: "nearest" });
    title.focus({ preventScroll: true });
  } catch (error) {
    panel.hidden = true;
    toastError(error);
  } finally {
    panel.removeAttribute("aria-busy");
  }
}

/**
 * Show what characters were asked, or ask one.
 * @param {Stage} stage
 * @param {HTMLFormElement} [form]
 */
async function showInterviews(stage, form) {
  const place = byId("interviews-part");
  const mark = stage.following ? "" : `?at=${stage.course.marks[stage.place - 1] ?? ""}`;
  place.setAttribute("aria-busy", "true");
  for (const button of place.querySelectorAll("button")) button.disabled = true;
  try {
    const sent = form ? { method: "POST", body: filledIn(form) } : {};
    place.replaceChildren(...(await fetchPart(`${stage.data.base}/interviews${mark}`, "the interviews", sent)));
    const last = [...place.querySelectorAll(".answer")].at(-1);
    (form && last ? last : place).scrollIntoView({ block: "nearest" });
    if (!form) place.querySelector("textarea")?.focus({ preventScroll: true });
  } catch (error) {
    for (const button of place.querySelectorAll("button")) button.disabled = false;
    toastError(error);
  } finally {
    place.removeAttribute("aria-busy");
  }
}

/**
 * A part of a page, rendered and escaped by the server.
 * @param {string} url
 * @param {string} what  it is
 * @param {RequestInit} [sent]
 */
export async function fetchPart(url, what, sent = {}) {
  const answer = await fetch(url, { ...sent, headers: { "X-Part": "1" } });
  if (!answer.ok) throw new Error(`${what} cannot be loaded (${answer.status})`);
  return new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes;
}
