/** The bar below a town: its clock, a slider over its days with a tick for each talk, play. */

import { h, signButton, svg } from "../../shared/elements.js";

/** @import { Hours } from "./hours.js" */
/** @import { Talk } from "./timeline.js" */

const SPEEDS = [1, 10, 60, 300, 900, 3600];
const FIRST = 3;

export class Player {
  /**
   * @param {Hours} hours
   * @param {(time: number, how: {settled: boolean}) => void} go  `settled`: it stays there
   * @param {(way: 1|-1) => void} step  to the moment before or behind
   */
  constructor(hours, go, step) {
    this.hours = hours;
    this.go = go;
    this.time = 0;
    this.end = 1;
    this.playing = false;
    this.frame = 0;
    this.last = 0;
    this.player = signButton("Play", "Play (space)", () => this.toggle());
    this.player.classList.add("primary");
    const speeds = SPEEDS.map((one, at) => h("option", { value: one, selected: at === FIRST }, `${one.toLocaleString("en")}×`));
    this.speed = h("select", { class: "town-speed", "aria-label": "Speed" }, ...speeds);
    this.clock = h("b", {});
    this.date = h("span", { class: "muted" });
    this.slider = h("input", { type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": "Time in the town" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value), { settled: false }));
    this.slider.addEventListener("change", () => this.go(Number(this.slider.value), { settled: true }));
    this.rail = svg("svg", { class: "town-ticks", "aria-hidden": "true" });
    this.steps = h(
      "div",
      { class: "town-steps" },
      h("p", { class: "town-clock" }, this.clock, this.date),
      signButton("‹", "Moment before (,)", () => step(-1)),
      this.player,
      signButton("›", "Moment after (.)", () => step(1)),
      this.speed,
    );
    this.element = h("div", { class: "town-player" }, h("div", { class: "town-rail" }, this.rail, this.slider), this.steps);
  }

  /**
   * Say what time it is.
   * @param {number} time
   */
  stands(time) {
    this.time = time;
    const clock = this.hours.clock(time);
    if (this.clock.textContent !== clock) {
      this.clock.textContent = clock;
      this.date.textContent = this.hours.date(time);
      this.slider.value = String(Math.floor(time));
      this.slider.setAttribute("aria-valuetext", this.hours.full(time));
    }
  }

  /** Play, or stop playing. */
  toggle() {
    this.playing = !this.playing;
    this.player.textContent = this.playing ? "Stop" : "Play";
    this.player.setAttribute("aria-label", this.playing ? "Stop playing (space)" : "Play (space)");
    if (!this.playing) {
      cancelAnimationFrame(this.frame);
      this.go(this.time, { settled: true });
      return;
    }
    if (this.time >= this.end) this.go(0, { settled: true });
    this.last = performance.now();
    const on = (/** @type {number} */ now) => {
      // After a pause of the browser's it goes on, not ahead.
      const seconds = Math.min(Math.max(now - this.last, 0), 250) / 1000;
      this.last = now;
      const time = this.time + (seconds * Number(this.speed.value)) / this.hours.step;
      if (time >= this.end) {
        this.go(this.end, { settled: true });
        if (this.playing) this.toggle();
        return;
      }
      this.go(time, { settled: false });
      if (this.playing) this.frame = requestAnimationFrame(on);
    };
    this.frame = requestAnimationFrame(on);
  }

  /** @param {1|-1} way */
  faster(way) {
    const at = SPEEDS.indexOf(Number(this.speed.value)) + way;
    if (SPEEDS[at]) this.speed.value = String(SPEEDS[at]);
  }

  /**
   * Draw what is on the rail: nights, hours, talks, what scores rest on.
   * @param {number} end
   * @param {Talk[]} talks
   * @param {number[]} marked  times
   */
  ticks(end, talks, marked) {
    this.end = Math.max(end, 1);
    this.slider.max = String(this.end);
    const { hours } = this;
    const x = (/** @type {number} */ time) => `${((time / this.end) * 100).toFixed(2)}%`;
    const wide = (/** @type {number} */ steps) => `${Math.max((steps / this.end) * 100, 0.15).toFixed(2)}%`;
    const every = 3600 * (this.end * hours.step > 3 * 86_400 ? 24 : this.end * hours.step > 86_400 ? 6 : 3);
    this.rail.replaceChildren(
      ...nights(hours, this.end).map(([from, to]) =>
        svg("rect", { class: "night", x: x(from), y: 0, width: wide(to - from), height: 22 }),
      ),
      ...hours.marks(this.end, every).flatMap((time) => [
        svg("line", { class: "hour", x1: x(time), x2: x(time), y1: 16, y2: 22 }),
        time > 0.97 * this.end
          ? null
          : svg(
              "text",
              { class: hours.ofDay(time) ? "when" : "when day", x: x(time), dx: 3, y: 33 },
              hours.ofDay(time) ? hours.clock(time) : hours.date(time),
            ),
      ]).filter((one) => one !== null),
      ...talks.map((talk) =>
        svg("rect", {
          class: `talk seat-${(talk.seats[0] % 8) + 1}`,
          x: x(talk.at),
          y: 4,
          width: wide(Number.isFinite(talk.until) ? talk.until - talk.at : 1),
          height: 14,
        }),
      ),
      ...marked.map((time) => svg("circle", { class: "mark", cx: x(time), cy: 3, r: 3 })),
    );
  }

  /** Stop for good. */
  close() {
    cancelAnimationFrame(this.frame);
    this.playing = false;
  }
}

/**
 * @param {Hours} hours
 * @param {number} end
 * @returns {[number, number][]}
 */
function nights(hours, end) {
  /** @type {[number, number][]} */
  const found = [];
  const quarter = 900 / hours.step;
  let from = -1;
  for (let time = 0; time <= end + quarter; time += quarter) {
    const dark = time <= end && hours.dark(time) > 0.5;
    if (dark && from < 0) from = time;
    if (!dark && from >= 0) {
      found.push([from, Math.min(time, end)]);
      from = -1;
    }
  }
  return found;
}
