"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { items, words, letters } = data;
const $ = (id) => document.getElementById(id);
const make = (tag, text) => { const made = document.createElement(tag); if (text !== undefined) made.textContent = text; return made; };

let keeps = true, saved = true;
let state = { name: "", at: 0, answers: {} };
try {
  const kept = JSON.parse(localStorage.getItem(data.key) || "null");
  if (kept && typeof kept.answers === "object" && kept.answers) state = { name: String(kept.name || ""), at: Number(kept.at) || 0, answers: kept.answers };
  localStorage.setItem(data.key, JSON.stringify(state));
} catch { keeps = false; }
state.at = Math.min(Math.max(0, state.at), items.length - 1);

const keep = () => { try { localStorage.setItem(data.key, JSON.stringify(state)); } catch { keeps = false; } tell(); };
const tell = () => { $("kept").textContent = keeps ? words.kept : words.not_kept; };
const answer = (item) => state.answers[item.id] || { same: [], none: false, comment: "" };
const marked = (item) => { const one = answer(item); return one.none || one.same.length > 0; };
const change = (fields) => {
  const item = items[state.at];
  state.answers[item.id] = { ...answer(item), ...fields };
  saved = false;
  keep();
  count();
};

function count() {
  const done = items.filter(marked).length;
  $("progress").textContent = words.progress.replace("{at}", state.at + 1).replace("{all}", items.length).replace("{done}", done);
  $("bar").max = items.length;
  $("bar").value = done;
  $("message").textContent = done === items.length ? words.finished : "";
  $("open").disabled = done === items.length;
}

function mark(place) {
  const one = answer(items[state.at]), letter = letters[place];
  const same = one.same.includes(letter) ? one.same.filter((other) => other !== letter) : [...one.same, letter].sort();
  change({ same, none: false });
  check();
}
function markNone() {
  const one = answer(items[state.at]);
  change({ same: [], none: !one.none });
  check();
}
function check() {
  const one = answer(items[state.at]);
  for (const box of $("options").querySelectorAll("input")) box.checked = box.value === "none" ? one.none : one.same.includes(box.value);
}

function option(letter, text, act) {
  const label = make("label"), box = make("input");
  box.type = "checkbox";
  box.value = letter;
  box.addEventListener("change", act);
  label.append(box);
  if (letter !== "none") label.append(make("b", letter));
  label.append(make("span", text));
  $("options").append(label);
}

function show() {
  const item = items[state.at];
  $("story").replaceChildren(...item.story.map((text) => make("p", text)));
  $("story").scrollTop = $("story").scrollHeight;
  $("goal").textContent = item.goal ? words.goal.replace("{name}", () => item.name).replace("{goal}", () => item.goal) : "";
  $("line").textContent = `${item.name}: ${item.line}`;
  $("options").replaceChildren($("options").querySelector("legend"));
  item.candidates.forEach((text, place) => option(letters[place], text, () => mark(place)));
  option("none", words.none, markNone);
  $("comment").value = answer(item).comment;
  $("previous").disabled = state.at === 0;
  $("next").disabled = state.at === items.length - 1;
  check();
  count();
}

function go(to) {
  if (to < 0 || to >= items.length) return;
  state.at = to;
  keep();
  show();
  $("progress").scrollIntoView({ block: "start" });
  $("line").focus({ preventScroll: true });
}
function goOpen() {
  const after = [...items.keys()].map((step) => (state.at + 1 + step) % items.length);
  const to = after.find((place) => !marked(items[place]));
  if (to !== undefined) go(to);
}

const cell = (text) => {
  const safe = /^\s*[=+@＝＋－＠-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
function save() {
  const name = state.name.trim();
  if (!name) { $("message").textContent = words.needs_name; $("name").focus(); return; }
  const rows = items.map((item) => { const one = answer(item); return [item.id, one.none ? "none" : one.same.join(" "), name, one.comment]; });
  const text = [data.columns, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
  const link = make("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  link.download = `${data.file}-${name.replace(/[^\p{L}\p{N}_-]+/gu, "-")}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  saved = true;
}

$("name").value = state.name;
$("name").addEventListener("input", () => { state.name = $("name").value; keep(); count(); });
$("comment").addEventListener("input", () => change({ comment: $("comment").value }));
$("previous").addEventListener("click", () => go(state.at - 1));
$("next").addEventListener("click", () => go(state.at + 1));
$("open").addEventListener("click", goOpen);
$("save").addEventListener("click", save);
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("textarea, input:not([type=checkbox])");
  if (event.key === "Escape" && typing) { event.target.blur(); return; }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const onButton = event.target.matches("button, summary");
  const key = event.key.toUpperCase(), candidates = items[state.at].candidates.length;
  // A letter of a candidate goes before the same letter as a command.
  const place = /^[1-9]$/.test(key) ? Number(key) - 1 : key.length === 1 ? letters.indexOf(key) : -1;
  if (place >= 0 && place < candidates) mark(place);
  else if (key === "N" || key === "0") markNone();
  else if (key === "U") goOpen();
  else if (key === "S") save();
  else if (key === "ARROWRIGHT" || (key === "ENTER" && !onButton)) go(state.at + 1);
  else if (key === "ARROWLEFT") go(state.at - 1);
  else return;
  event.preventDefault();
});
addEventListener("beforeunload", (event) => { if (!keeps && !saved) event.preventDefault(); });

document.querySelector("main").hidden = false;
$("help").open = !Object.keys(state.answers).length;
tell();
show();
