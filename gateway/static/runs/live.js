// Keeps what is live on the pages Runs and Run as it is now: a look every few seconds while the
// page is in view and something is still to come.

import { all } from "../shared/elements.js";
import { toast } from "../shared/toasts.js";
import { sentence, whole } from "../shared/words.js";

/** @typedef {{run: string, state: string, words: string, sentence: string, over: boolean,
 *   planned: number, ended: number, failed: number, marked: number, playing: number,
 *   evaluations: number, scored: number, unscored: number, usd: number, tokens: number,
 *   unpriced: number, budget_usd: number, budget_tokens: number, per_minute?: number,
 *   left_s?: number | null, holds?: string[], notes?: string[]}} Now */

const settings = JSON.parse(document.getElementById("live")?.textContent ?? "{}");
/** @type {Map<string, Element>} */
const shown = new Map();
for (const element of all(document, "[data-run]")) shown.set(element.dataset.run ?? "", element);
/** @type {Map<string, string>} */
const before = new Map();

const money = (/** @type {number} */ n) =>
  n === 0 || n >= 1 ? `$${n.toFixed(2)}` : n >= 0.0001 ? `$${n.toFixed(4)}` : "under $0.0001";

/** @param {number} n */
function short(n) {
  for (const [size, letter] of /** @type {[number, string][]} */ ([[1e9, "G"], [1e6, "M"], [1e3, "k"]])) {
    if (n >= 10 * size) return `${Math.round(n / size).toLocaleString("en")} ${letter}`;
    if (n >= size) return `${(n / size).toFixed(1)} ${letter}`;
  }
  return whole(n);
}

/** @param {number} seconds */
function lasting(seconds) {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** @param {Now} now */
function put(now) {
  const root = shown.get(now.run);
  if (!root) return;
  /** @param {string} name @param {string} text */
  const set = (name, text) => {
    for (const one of root.querySelectorAll(`[data-live="${name}"]`)) {
      if (one.textContent !== text) one.textContent = text;
    }
  };
  /** @param {string} name @param {number} value @param {number} most */
  const meter = (name, value, most) => {
    const found = root.querySelector(`progress[data-live="${name}"]`);
    if (found instanceof HTMLProgressElement) {
      found.max = most || 1;
      found.value = Math.min(value, most);
    }
  };
  meter("done", now.ended + now.failed, now.planned);
  meter("judged", now.scored + now.unscored, now.evaluations);
  meter("money", now.usd, now.budget_usd);
  meter("budget_tokens", now.tokens, now.budget_tokens);
  set("ended", whole(now.ended));
  set("failed", whole(now.failed));
  set("playing", whole(now.playing));
  set("scored", whole(now.scored));
  set("evaluations", whole(now.evaluations));
  set("usd", money(now.usd));
  set("tokens", short(now.tokens));
  set("under-way", now.playing ? `, ${whole(now.playing)} under way` : "");
  set("words", now.words);
  root.querySelector('[data-live="words"]')?.setAttribute("class", `standing ${now.state.replaceAll(" ", "-")}`);
  const why = root.querySelector('[data-live="sentence"]');
  if (why instanceof HTMLElement) {
    const text = sentence(now.sentence);
    if (why.textContent !== text) why.textContent = text;
    why.hidden = now.sentence === now.words || (now.state === "running" && root.matches(".run"));
  }
  const pace = [];
  if (now.per_minute) pace.push(`${now.per_minute.toFixed(1)} episodes a minute`);
  if (now.left_s) pace.push(`about ${lasting(now.left_s)} left`);
  for (const hold of now.holds ?? []) pace.push(`held back: ${hold}`);
  // What was there when the page was made stands below.
  for (const note of now.notes ?? []) if (!document.body.textContent?.includes(note.slice(1))) pace.push(note);
  set("pace", pace.join("; "));
  const is = `${now.ended} ${now.failed} ${now.scored} ${now.unscored}`;
  const was = before.get(now.run);
  const newer = document.querySelector('[data-live="newer"]');
  if (newer instanceof HTMLElement && was !== undefined && was !== is) newer.hidden = false;
  if (was === undefined) before.set(now.run, is);
}

let failures = 0;

async function look() {
  if (document.visibilityState === "visible" && settings.runs?.length) {
    const one = settings.version !== undefined;
    const query = settings.runs.map((/** @type {string} */ run) => `run=${encodeURIComponent(run)}`).join("&");
    const path = one ? `/runs/${encodeURIComponent(settings.runs[0])}/live.json` : `/runs/live.json?${query}`;
    try {
      const answer = await fetch(path);
      if (!answer.ok) throw new Error(`${answer.status}`);
      const { runs } = /** @type {{runs: Now[]}} */ (await answer.json());
      runs.forEach(put);
      if (failures > 2) toast("The server answers again.", "good");
      failures = 0;
      if (runs.every((run) => run.over)) {
        setTimeout(look, 10 * settings.look_ms);
        return;
      }
    } catch {
      failures += 1;
      if (failures === 3) toast("The server does not answer; figures are as they were.", "bad");
    }
  }
  setTimeout(look, settings.look_ms * Math.min(8, 1 + failures));
}

setTimeout(look, settings.look_ms ?? 2000);
