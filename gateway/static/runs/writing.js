// The form and the text of a plan are kept in step by the server, which knows what a plan may hold:
// whatever is changed is sent, and the page that comes back gives the other half and what it means.

import { all, byId, filledIn } from "../shared/elements.js";
import { toastError } from "../shared/toasts.js";

const form = byId("plan", HTMLFormElement);
const text = byId("toml", HTMLTextAreaElement);
const before = byId("before", HTMLInputElement);

let turn = 0;
let timer = 0;
/** What was sent last: browsers tell of one change twice where its field goes away. */
let last = "";

/** @param {HTMLElement | null} [by] the button that was pressed */
async function send(by = null) {
  const body = filledIn(form, by);
  if (!by && body.toString() === last) return;
  last = body.toString();
  const mine = (turn += 1);
  const typed = text.value;
  document.getElementById("meaning")?.setAttribute("aria-busy", "true");
  try {
    // Not `form.action`: that is the buttons called so.
    const answer = await fetch(form.getAttribute("action") ?? "", { method: "POST", body, headers: { accept: "text/html" } });
    if (mine !== turn) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok) throw new Error(page.querySelector(".lead")?.textContent ?? `the server answered ${answer.status}`);
    take(page, typed);
  } catch (error) {
    if (mine === turn) toastError(error);
  } finally {
    document.getElementById("meaning")?.removeAttribute("aria-busy");
  }
}

/** @param {Document} page @param {string} typed the text when it was sent */
function take(page, typed) {
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const name = active?.getAttribute("name");
  const value = active instanceof HTMLInputElement ? active.value : null;
  const open = all(document, "#fields details", HTMLDetailsElement).map((one) => one.open);
  for (const id of ["fields", "meaning"]) {
    const [here, there] = [document.getElementById(id), page.getElementById(id)];
    if (here && there) here.replaceWith(document.adoptNode(there));
  }
  const details = all(document, "#fields details", HTMLDetailsElement);
  if (details.length === open.length) details.forEach((one, at) => (one.open ||= open[at]));
  const newer = /** @type {HTMLTextAreaElement | null} */ (page.getElementById("toml"));
  const old = /** @type {HTMLInputElement | null} */ (page.getElementById("before"));
  if (!newer || !old) return;
  before.value = old.value;
  // What was typed into the text meanwhile is sent next; it is not taken away.
  if (text.value === typed && text.value !== newer.value) text.value = newer.value;
  if (name && active && !active.isConnected) {
    const again = form.elements.namedItem(name);
    if (again instanceof HTMLElement) {
      again.focus();
      if (again instanceof HTMLInputElement && value !== null && again.value !== value && active.matches(":not([name^='new.'])")) again.value = value;
    }
  }
}

form.addEventListener("change", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target === text || target.getAttribute("name")?.startsWith("new.")) return;
  clearTimeout(timer);
  timer = window.setTimeout(send, 0);
});
text.addEventListener("input", () => {
  clearTimeout(timer);
  timer = window.setTimeout(send, 500);
});
form.addEventListener("submit", (event) => {
  const by = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (by?.value === "start") return;
  event.preventDefault();
  clearTimeout(timer);
  send(by);
});
// Enter in a field checks; it does not press the first button, which removes a mind.
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
    event.preventDefault();
    send();
  }
});
