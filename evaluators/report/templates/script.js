// Finds, sorts and opens transcripts. Everything it shows was written and escaped by the server;
// it fetches nothing.
"use strict";
(() => {
  const list = document.getElementById("transcript-list");
  if (!list) return;
  const rows = Array.from(list.children);
  const byId = (id) => document.getElementById(id);
  const [search, mind, scenario, what, order] =
    ["find", "by-mind", "by-scenario", "by-what", "order"].map(byId);
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
  const sort = () => {
    const [key, sign] = { low: ["overall", 1], high: ["overall", -1], failures: ["failures", -1],
      turns: ["turns", -1], plan: ["place", 1] }[order.value];
    // Episodes without the figure come last, whichever way the list goes.
    const value = (row) => row.dataset[key] === "" ? Infinity : sign * Number(row.dataset[key]);
    list.append(...rows.slice().sort((a, b) =>
      value(a) - value(b) || Number(a.dataset.place) - Number(b.dataset.place)));
  };

  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { limit = PAGE; show(); }, 150);
  });
  for (const chooser of [mind, scenario, what]) {
    chooser.addEventListener("change", () => { limit = PAGE; show(); });
  }
  order.addEventListener("change", () => { sort(); show(); });
  more.addEventListener("click", () => { limit += PAGE; show(); });

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
