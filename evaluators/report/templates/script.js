// Finds, sorts and opens transcripts. Everything it shows was written and escaped by the server;
// it fetches nothing.
"use strict";
(() => {
  // Tables as text, to be copied and saved.
  const button = (words, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.addEventListener("click", () => act(made));
    return made;
  };
  const copy = (field, made) => {
    field.select();
    const said = (words) => { made.textContent = words; };
    if (!navigator.clipboard) return said(document.execCommand("copy") ? "Copied" : "Marked: copy it");
    return navigator.clipboard.writeText(field.value)
      .then(() => said("Copied"), () => said("Marked: copy it"));
  };
  const save = (field) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([field.value], { type: "text/plain" }));
    link.download = field.dataset.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  document.addEventListener("toggle", (event) => {
    const opened = event.target;
    if (!opened.open || !opened.matches?.("details.take") || opened.querySelector("button")) return;
    for (const field of opened.querySelectorAll("textarea")) {
      const kind = field.dataset.file.endsWith(".csv") ? "CSV" : "LaTeX";
      const row = document.createElement("p");
      row.append(button(`Copy ${kind}`, (made) => copy(field, made)), " ",
        button(`Save ${field.dataset.file}`, () => save(field)));
      field.after(row);
    }
  }, true);

  // What is wider than its frame says so, until somebody scrolls it.
  const frames = document.querySelectorAll(".scroll, .plot");
  const measure = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const wider = target.scrollWidth > target.clientWidth + 1;
      const said = target.nextElementSibling?.matches(".more-beside");
      if (wider && !said) {
        const hint = document.createElement("p");
        hint.className = "more-beside";
        hint.textContent = "\u2194 scrolls sideways";
        target.after(hint);
      } else if (!wider && said) target.nextElementSibling.remove();
    }
  });
  for (const frame of frames) measure.observe(frame);

  const list = document.getElementById("transcript-list");
  if (!list) return;
  const rows = Array.from(list.children);
  const byId = (id) => document.getElementById(id);
  const [search, mind, scenario, memory, what, order] =
    ["find", "by-mind", "by-scenario", "by-memory", "by-what", "order"].map(byId);
  const [count, more] = ["found", "more"].map(byId);
  const PAGE = 100;
  let limit = PAGE;
  byId("finder").hidden = false;

  // A long list keeps its transcripts as text until somebody opens them.
  const fill = (row) => {
    const stored = row.querySelector("script.later");
    if (!stored) return;
    const body = document.createElement("div");
    body.innerHTML = stored.textContent;
    stored.replaceWith(...body.childNodes);
  };
  list.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.parentElement === list) fill(event.target);
  }, true);

  const strip = (text) => text.replace(/<[^>]*>/g, " ");
  const escapeHtml = (text) => {
    const node = document.createElement("i");
    node.textContent = text;
    return node.innerHTML;
  };
  const holds = (row, words) => {
    const stored = row.querySelector("script.later");
    if (!stored) return row.textContent.toLowerCase().includes(words);
    if (row.querySelector("summary").textContent.toLowerCase().includes(words)) return true;
    const escaped = escapeHtml(words).replace(/"/g, "&#34;").replace(/'/g, "&#39;");
    const text = stored.textContent.toLowerCase();
    return text.includes(escaped) && strip(text).includes(escaped);
  };
  const fits = (row, words) => {
    const data = row.dataset;
    if (mind.value && !data.minds.split("\n").includes(mind.value)) return false;
    if (scenario.value && data.scenario !== scenario.value) return false;
    if (memory?.value && data.memory !== memory.value) return false;
    if (what.value && !data.what.split(" ").includes(what.value)) return false;
    return holds(row, words);
  };

  const show = () => {
    const words = search.value.trim().toLowerCase();
    let found = 0;
    for (const row of list.children) {
      const fit = fits(row, words);
      if (fit) found += 1;
      row.hidden = !fit || found > limit;
    }
    const shown = Math.min(found, limit);
    const of = found === rows.length ? "" : ` of ${rows.length}`;
    count.textContent = found
      ? `${found}${of} episode${found === 1 && !of ? "" : "s"}` + (shown < found ? `, the first ${shown} shown` : "")
      : "No episode fits. Try other words or fewer filters.";
    more.hidden = shown >= found;
    more.textContent = `Show ${Math.min(PAGE, found - shown)} more`;
  };

  // Of each judge what every seat got, in the order of the choice of judges.
  const scores = new Map(rows.map((row) => [row, JSON.parse(row.dataset.scores || "[]")]));
  const judge = byId("judge");
  const mean = (row) => {
    const given = (scores.get(row)[judge ? judge.selectedIndex : 0] || []).filter((v) => v !== null);
    return given.length ? given.reduce((sum, v) => sum + v, 0) / given.length : null;
  };
  const written = (value) => {
    const text = value.toFixed(2);
    return (Number(text) === 0 ? "0.00" : text).replace("-", "\u2212");
  };
  const score = () => {
    const chosen = judge.selectedOptions[0];
    byId("scored-by").firstElementChild.className = chosen.dataset.mark;
    byId("scored-by").lastElementChild.textContent = chosen.dataset.title;
    // A section in which the judge has nothing shows what the others have there.
    const sections = new Map();
    for (const part of document.querySelectorAll(".of-judge")) {
      let head = part;
      while (head && head.tagName !== "H2") head = head.previousElementSibling;
      sections.set(head, [...(sections.get(head) || []), part]);
    }
    for (const parts of sections.values()) {
      const there = parts.some((part) => part.dataset.judge === judge.value);
      for (const part of parts) part.hidden = there && part.dataset.judge !== judge.value;
    }
    for (const row of rows) {
      const given = scores.get(row)[judge.selectedIndex] || [];
      row.querySelector(".scores").replaceChildren(...given.flatMap((value, seat) => {
        if (value === null) return [];
        const chip = document.createElement("span");
        const number = document.createElement("b");
        chip.className = "chip score";
        chip.title = `seat ${seat + 1}, ${chosen.dataset.title}`;
        number.className = "seat";
        number.textContent = seat + 1;
        chip.append(number, ` ${written(value)}`);
        return [chip];
      }));
    }
  };
  const sort = () => {
    const [key, sign] = { low: [mean, 1], high: [mean, -1], failures: ["failures", -1],
      turns: ["turns", -1], plan: ["place", 1] }[order.value];
    // Episodes without the figure come last, whichever way the list goes.
    const value = (row) => {
      const found = typeof key === "string" ? Number(row.dataset[key]) : key(row);
      return found === null ? Infinity : sign * found;
    };
    list.append(...rows.slice().sort((a, b) =>
      value(a) - value(b) || Number(a.dataset.place) - Number(b.dataset.place)));
  };

  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { limit = PAGE; show(); }, 150);
  });
  for (const chooser of [mind, scenario, memory, what]) {
    chooser?.addEventListener("change", () => { limit = PAGE; show(); });
  }
  order.addEventListener("change", () => { sort(); show(); });
  if (judge) {
    judge.parentElement.hidden = byId("choose").hidden = false;
    judge.addEventListener("change", () => { score(); sort(); show(); });
    score();
  }
  more.addEventListener("click", () => { limit += PAGE; show(); });

  // A cell of the scenarios narrows the list down to its own episodes.
  document.addEventListener("click", (event) => {
    const cell = event.target.closest?.("a[data-scenario]");
    if (!cell) return;
    event.preventDefault();
    search.value = what.value = "";
    scenario.value = cell.dataset.scenario;
    mind.value = cell.dataset.mind;
    if (memory) memory.value = cell.dataset.memory;
    limit = PAGE;
    show();
    byId("transcripts").scrollIntoView();
    scenario.focus({ preventScroll: true });
  });

  // A link to an episode or to one of its lines opens it first.
  const follow = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const row = rows.find((one) => id === one.id || id.startsWith(`${one.id}-`));
    if (!row) return;
    row.hidden = false;
    row.open = true;
    fill(row);
    const target = byId(id);
    if (target) target.scrollIntoView({ block: "center" });
  };
  addEventListener("hashchange", follow);
  show();
  follow();
})();
