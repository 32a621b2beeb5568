// A list of any length of which the document holds what is in view and a little more: rows of one
// height, a pool of elements that are filled anew as the list moves, and chunks of rows that are
// fetched when they come near and let go when they are far.

/** Chunks that are kept; with the pool they are all that grows with use, and they do not. */
const KEPT = 12;
/** Rows beyond what is in view, above and below. */
const SPARE = 6;
/** Browsers do not lay out taller elements, in pixels; of more rows each stands for several. */
const TALLEST = 15_000_000;

/**
 * @template T
 * @typedef {object} Options
 * @property {HTMLElement} box what scrolls
 * @property {HTMLElement} list the list element in it
 * @property {number} chunk rows that are fetched at once
 * @property {(start: number, signal: AbortSignal) => Promise<{rows: T[], total: number}>} fetch
 * @property {() => HTMLElement} make an empty row
 * @property {(element: HTMLElement, row: T | undefined) => void} fill undefined: not there yet
 */

/** @template T */
export class VirtualList {
  /** @param {Options<T>} options */
  constructor(options) {
    this.options = options;
    /** @type {Map<number, T[]>} */
    this.chunks = new Map();
    /** @type {Map<number, AbortController>} */
    this.asked = new Map();
    /** @type {HTMLElement[]} */
    this.pool = [];
    this.total = 0;
    this.active = 0;
    this.height = 0;
    this.generation = 0;
    options.box.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.measure()).observe(options.box);
    options.box.addEventListener("keydown", (event) => this.key(event));
    options.list.addEventListener("focusin", (event) => {
      const element = this.pool.find((one) => one.contains(/** @type {Node} */ (event.target)));
      if (element?.dataset.at) this.active = Number(element.dataset.at);
    });
  }

  /**
   * Show other rows from the beginning.
   * @param {{rows: T[], total: number}} first
   */
  reset(first) {
    this.generation += 1;
    for (const one of this.asked.values()) one.abort();
    this.asked.clear();
    this.chunks.clear();
    this.total = first.total;
    if (first.rows.length) this.chunks.set(0, first.rows);
    this.active = 0;
    this.options.box.scrollTop = 0;
    this.measure();
  }

  /** Learn how tall a row and the view are. */
  measure() {
    const { box, list, make, fill } = this.options;
    const probe = make();
    fill(probe, undefined);
    list.append(probe);
    this.height = probe.getBoundingClientRect().height || 60;
    probe.remove();
    const wanted = Math.ceil(box.clientHeight / this.height) + 2 * SPARE;
    while (this.pool.length < wanted) {
      const element = make();
      this.pool.push(element);
      list.append(element);
    }
    for (const extra of this.pool.splice(wanted)) extra.remove();
    list.style.height = `${Math.min(TALLEST, this.total * this.height)}px`;
    this.draw();
  }

  /** The row at the top of the view, with a fraction. */
  get top() {
    const { box } = this.options;
    const tall = this.total * this.height;
    if (tall <= TALLEST) return box.scrollTop / this.height;
    const share = box.scrollTop / Math.max(1, TALLEST - box.clientHeight);
    return share * Math.max(0, this.total - box.clientHeight / this.height);
  }

  /** Fill the pool with what is in view. */
  draw() {
    const { box, fill } = this.options;
    const top = this.top;
    const first = Math.max(0, Math.floor(top) - SPARE);
    const offset = box.scrollTop - top * this.height;
    this.pool.forEach((_, place) => {
      const at = first + place;
      const element = this.pool[at % this.pool.length];
      element.hidden = at >= this.total;
      if (element.hidden) return;
      element.style.transform = `translateY(${Math.round(offset + at * this.height)}px)`;
      const row = this.row(at);
      const state = `${this.generation} ${at} ${row === undefined ? "" : "here"}`;
      if (element.dataset.state === state) return;
      element.dataset.state = state;
      element.dataset.at = String(at);
      element.setAttribute("aria-posinset", String(at + 1));
      element.setAttribute("aria-setsize", String(this.total));
      fill(element, row);
    });
    this.want(first, first + this.pool.length);
  }

  /** @param {number} at */
  row(at) {
    const { chunk } = this.options;
    return this.chunks.get(Math.floor(at / chunk))?.[at % chunk];
  }

  /**
   * Fetch what is missing between two rows, and let go of what is far.
   * @param {number} from
   * @param {number} to
   */
  want(from, to) {
    const { chunk } = this.options;
    const last = Math.floor((this.total - 1) / chunk);
    const near = [];
    for (let n = Math.floor(from / chunk); n <= Math.min(last, Math.floor(to / chunk)); n++) near.push(n);
    for (const [n, controller] of this.asked) {
      if (!near.includes(n)) {
        controller.abort();
        this.asked.delete(n);
      }
    }
    for (const n of near) if (!this.chunks.has(n) && !this.asked.has(n)) this.load(n);
    const middle = (from + to) / 2 / chunk;
    const far = [...this.chunks.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const n of far.slice(0, Math.max(0, far.length - KEPT))) this.chunks.delete(n);
  }

  /** @param {number} n */
  async load(n) {
    const controller = new AbortController();
    const generation = this.generation;
    this.asked.set(n, controller);
    try {
      // While somebody scrolls past, nothing is asked for.
      await new Promise((go) => setTimeout(go, 60));
      if (controller.signal.aborted) return;
      const found = await this.options.fetch(n * this.options.chunk, controller.signal);
      if (generation !== this.generation) return;
      this.chunks.set(n, found.rows);
      if (found.total !== this.total) {
        this.total = found.total;
        this.measure();
      }
    } catch {
      if (!controller.signal.aborted) setTimeout(() => this.draw(), 2000);
    } finally {
      if (this.asked.get(n) === controller) this.asked.delete(n);
    }
    if (generation === this.generation) this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.options.box.clientHeight / this.height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step === undefined) return;
    event.preventDefault();
    this.go(this.active + step);
  }

  /**
   * Put the focus on a row, wherever it is.
   * @param {number} to
   */
  go(to) {
    if (!this.total) return;
    this.active = Math.max(0, Math.min(this.total - 1, to));
    const { box } = this.options;
    const rows = box.clientHeight / this.height;
    const top = this.top;
    let wanted = top;
    if (this.active < top) wanted = this.active;
    else if (this.active + 1 > top + rows) wanted = this.active + 1 - rows;
    if (wanted !== top) {
      const tall = this.total * this.height;
      box.scrollTop =
        tall <= TALLEST
          ? wanted * this.height
          : (wanted / Math.max(1, this.total - rows)) * (TALLEST - box.clientHeight);
      this.draw();
    }
    const element = this.pool[this.active % this.pool.length];
    element.querySelector("a")?.focus({ preventScroll: true });
  }
}
