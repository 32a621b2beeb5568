// Charts whose marks lead to episodes are put into the page itself, where a mark can be followed.

/** @param {Element} figure */
async function inline(figure) {
  const image = figure.querySelector("img");
  if (!image) return;
  const answer = await fetch(image.src);
  if (!answer.ok) return;
  // The page has its colours; as a picture alone it brought some.
  const text = (await answer.text()).replace(/<style>[^<]*<\/style>/, "");
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const svg = parsed.documentElement;
  if (svg.nodeName !== "svg") return;
  for (const link of svg.querySelectorAll("a")) {
    const at = /^#(.+)-top$/.exec(link.getAttribute("href") ?? "");
    if (at) link.setAttribute("href", `/episodes/${encodeURIComponent(at[1])}`);
    link.removeAttribute("target");
  }
  image.replaceWith(document.adoptNode(svg));
}

const watcher = new IntersectionObserver(
  (seen) => {
    for (const one of seen) {
      if (!one.isIntersecting) continue;
      watcher.unobserve(one.target);
      inline(one.target).catch(() => {}); // the picture stays
    }
  },
  { rootMargin: "300px" },
);
for (const figure of document.querySelectorAll("figure[data-inline]")) watcher.observe(figure);
