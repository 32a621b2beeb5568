/** Words found in what was said: the twin of gateway/pages/stage/highlighted_words.py. Pure. */

const EDGES = /^[ \t\n"'“”‘’….]+|[ \t\n"'“”‘’….]+$/g;

/**
 * Where quotes stand in a text, in order and without overlap; white space and case do not count.
 * @param {string} text
 * @param {string[]} quotes
 * @returns {[number, number][]}
 */
export function spans(text, quotes) {
  /** @type {[number, number][]} */
  const found = [];
  for (const quote of quotes) {
    const words = quote.replace(EDGES, "").split(/\s+/).filter(Boolean);
    if (!words.length) continue;
    const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
    for (const match of text.matchAll(new RegExp(pattern, "giu"))) {
      found.push([match.index, match.index + match[0].length]);
    }
  }
  found.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  /** @type {[number, number][]} */
  const merged = [];
  for (const [begin, end] of found) {
    const last = merged.at(-1);
    if (last && begin <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([begin, end]);
  }
  return merged;
}

/**
 * The pieces of a transcript in which all words of a search stand, by their places.
 * @param {import("./items.js").Item[]} items
 * @param {string} asked
 * @returns {number[]}
 */
export function matches(items, asked) {
  const words = asked.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  /** @type {number[]} */
  const found = [];
  items.forEach((item, at) => {
    if (has(`${item.who} ${item.verb} ${item.text} ${item.failed}`, words)) found.push(at);
  });
  return found;
}

/**
 * Whether all words of a search stand in a text.
 * @param {string} text
 * @param {string|string[]} asked
 */
export function has(text, asked) {
  const words = typeof asked === "string" ? asked.toLocaleLowerCase().split(/\s+/).filter(Boolean) : asked;
  const folded = text.toLocaleLowerCase();
  return words.length > 0 && words.every((word) => folded.includes(word));
}
