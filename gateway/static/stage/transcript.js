/**
 * The list that a transcript is read in. However long the episode is, only a window of it is in the
 * document; what moves on by an event changes an event's elements.
 */

import { h } from "../shared/elements.js";
import { harmless } from "../shared/harmless.js";
import { sentence } from "../shared/words.js";
import { clock } from "./items.js";
import { spans } from "./lit.js";

/** @import { Item } from "./items.js" */

/** Pieces in the document at once. */
const WINDOW = 120;

/** Pieces that are drawn at once while one passes by; the rest of the window follows. */
const GLANCE = 16;

/** @typedef {{evidence: number[], quotes: string[]}} Lit */

export class Transcript {
  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} earlier  what leads further back
   * @param {{base: string, began: number}} page
   */
  constructor(list, earlier, page) {
    this.list = list;
    this.earlier = earlier;
    this.page = page;
    this.from = 0;
    this.to = 0;
    /** @type {Item[]} */
    this.items = [];
    /** @type {Lit|null} */
    this.lit = null;
    this.query = "";
    /** @type {number|undefined} */
    this.settling = undefined;
  }

  /**
   * Forget what is shown: another list of pieces comes.
   * @param {Item[]} items
   */
  anew(items) {
    this.items = items;
    this.list.replaceChildren();
    this.from = this.to = 0;
  }

  /**
   * Show the pieces up to `end`, of those the last ones; at least from `from` on.
   * @param {number} end
   * @param {number} [from]
   */
  show(end, from = Math.max(0, end - WINDOW)) {
    if (end <= this.from || from >= this.to) this.anewFrom(from);
    while (this.to > end) {
      this.list.lastElementChild?.remove();
      this.to -= 1;
    }
    if (this.to < end) this.list.append(this.made(this.to, end));
    this.to = end;
    if (from < this.from) {
      this.list.prepend(this.made(from, this.from));
      this.from = from;
    }
    // A page that grows by live events does not grow for ever.
    while (this.to - this.from > 2 * WINDOW && this.from < from) {
      this.list.firstElementChild?.remove();
      this.from += 1;
    }
    this.earlier.hidden = this.from === 0;
  }

  /**
   * Show the pieces up to `end` as one passes by: a few now, the whole window once one stays.
   * @param {number} end
   */
  glance(end) {
    clearTimeout(this.settling);
    const near = end > this.from && end - this.to < GLANCE && this.to - end < WINDOW / 2;
    const from = Math.max(0, end - GLANCE);
    if (!near) this.anewFrom(from);
    this.show(end, Math.max(from, Math.min(this.from, end)));
    if (this.from > 0 && this.to - this.from < WINDOW / 2) {
      this.settling = setTimeout(() => this.extend(Math.max(0, this.to - WINDOW)), 250);
    }
  }

  /** @param {number} from */
  anewFrom(from) {
    this.list.replaceChildren();
    this.from = this.to = from;
  }

  /** Show more of what was before. */
  more() {
    this.extend(Math.max(0, this.from - WINDOW));
  }

  /**
   * Show the pieces from there on, without moving what is looked at.
   * @param {number} from
   */
  extend(from) {
    const height = document.documentElement.scrollHeight;
    const { scrollY } = window;
    this.show(this.to, from);
    // Browsers that hold what is looked at in its place have moved already; and what stands above
    // the list has not moved.
    const above = this.list.getBoundingClientRect().top < 0;
    if (above && window.scrollY === scrollY) window.scrollBy(0, document.documentElement.scrollHeight - height);
  }

  /** Draw what is shown once more: other words are marked. */
  redraw() {
    this.list.replaceChildren(this.made(this.from, this.to));
  }

  /**
   * The element of a piece, if it is in the document.
   * @param {number} place
   * @returns {HTMLElement|null}
   */
  element(place) {
    const found = this.list.children[place - this.from];
    return place >= this.from && place < this.to ? /** @type {HTMLElement} */ (found) : null;
  }

  /**
   * Mark the pieces of one event as the one that is looked at.
   * @param {number|null} mark
   */
  here(mark) {
    for (const one of this.list.querySelectorAll(".here")) one.classList.remove("here");
    if (mark === null) return;
    for (let at = this.list.children.length - 1; at >= 0; at -= 1) {
      const one = /** @type {HTMLElement} */ (this.list.children[at]);
      if (Number(one.dataset.mark) !== mark) break;
      one.classList.add("here");
    }
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  made(from, to) {
    const fragment = document.createDocumentFragment();
    for (let at = from; at < to; at += 1) {
      const first = this.items[at - 1]?.mark !== this.items[at].mark;
      fragment.append(this.piece(this.items[at], first));
    }
    return fragment;
  }

  /**
   * @param {Item} item
   * @param {boolean} first  of its event
   * @returns {HTMLElement}
   */
  piece(item, first) {
    const { base, began } = this.page;
    const own = { id: first ? `event-${item.mark}` : null, "data-mark": item.mark };
    const time = clock(item.at, began);
    if (item.kind === "turn") {
      const calls = item.models
        ? h("a", { class: "asked", href: `${base}/calls/${item.turn}`, "data-turn": item.turn }, "calls")
        : null;
      return h(
        "li",
        { class: "turn", ...own },
        h("h3", {}, `Turn ${item.turn}`),
        h("span", { class: "clock" }, time),
        calls,
      );
    }
    if (item.kind === "note") {
      const who = item.by ? `, by ${item.by}` : "";
      return h("li", { class: "note", ...own }, h("span", {}, `${item.text}${who}`));
    }
    if (item.kind === "end") {
      const text = `Ended after turn ${item.turn}: ${item.text}`;
      return h("li", { class: "end", ...own }, h("span", {}, text));
    }
    const tag = (/** @type {string} */ text, kind = "tag") => [" ", h("span", { class: kind }, text)];
    const head = [
      ...(item.who ? [h("b", {}, item.who)] : []),
      ...(item.verb ? tag(item.verb, "verb") : []),
      ...(item.to ? tag(`whispers to ${item.to}`) : []),
      ...(item.hidden ? tag("hidden choice") : []),
      ...(item.failed ? tag("failed", "tag bad") : []),
      ...(item.note ? tag(item.note) : []),
      ...(item.by ? tag(`by ${item.by}`) : []),
      ...(item.when ? [" ", h("time", { class: "when" }, item.when)] : []),
    ];
    const title = `Link to event ${item.mark}, ${time} after the beginning`;
    return h(
      "li",
      { class: classes(item, this.lit), ...own },
      head.length ? h("p", { class: "who" }, ...head) : null,
      item.text ? h("p", { class: "words" }, ...this.words(item)) : null,
      item.failed ? h("p", { class: "why" }, sentence(item.failed)) : null,
      h("a", { class: "no", href: `#event-${item.mark}`, title }, String(item.mark)),
    );
  }

  /**
   * What was said, with what is looked for between marks.
   * @param {Item} item
   */
  words(item) {
    const quotes = [];
    if (this.lit && (this.lit.evidence.includes(item.mark) || !this.lit.evidence.length)) {
      quotes.push(...this.lit.quotes);
    }
    if (this.query) quotes.push(...this.query.split(/\s+/));
    if (!quotes.length) return [item.text];
    const text = harmless(item.text);
    /** @type {(string|HTMLElement)[]} */
    const parts = [];
    let place = 0;
    for (const [begin, end] of spans(text, quotes)) {
      parts.push(text.slice(place, begin), h("mark", {}, text.slice(begin, end)));
      place = end;
    }
    parts.push(text.slice(place));
    return parts;
  }
}

/**
 * @param {Item} item
 * @param {Lit|null} lit
 */
function classes(item, lit) {
  const names = {
    entry: true,
    [`seat-${((item.seat ?? 0) % 8) + 1}`]: item.seat !== null,
    voice: item.seat === null && item.who,
    told: !item.who,
    done: item.verb && !item.failed,
    idle: item.idle,
    whisper: item.to,
    unseen: item.hidden,
    failed: item.failed,
    lit: lit?.evidence.includes(item.mark),
  };
  return Object.entries(names).flatMap(([name, on]) => (on ? [name] : [])).join(" ");
}
