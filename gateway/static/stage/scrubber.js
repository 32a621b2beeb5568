/** The bar by which one goes through an episode: buttons, a slider with what happened where, play. */

import { h, signButton, svg } from "../shared/elements.js";

/** Between two events while it plays, in milliseconds. */
const PACE_MS = 900;
/** Of these at most are drawn on the rail. */
const MOST_TICKS = 250;

export class Scrubber {
  /**
   * @param {HTMLElement} element
   * @param {(place: number) => void} go
   */
  constructor(element, go) {
    this.element = element;
    this.go = go;
    this.place = 0;
    this.count = 0;
    this.wanted = 0;
    /** @type {number|undefined} */
    this.timer = undefined;
    /** @type {number|undefined} */
    this.frame = undefined;
    this.first = signButton("|‹", "First event (Home)", () => this.to(1));
    this.back = signButton("‹", "Event before (←)", () => this.to(this.at - 1));
    this.player = signButton("Play", "Play (p)", () => this.toggle());
    this.on = signButton("›", "Event after (→)", () => this.to(this.at + 1));
    this.last = signButton("›|", "Last event (End)", () => this.to(this.count));
    this.where = h("span", { class: "where" });
    this.slider = h("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": "Event" });
    this.slider.addEventListener("input", () => this.to(Number(this.slider.value)));
    this.rail = svg("svg", { viewBox: "0 0 1000 6", preserveAspectRatio: "none", "aria-hidden": "true" });
    const steps = [this.first, this.back, this.player, this.on, this.last, this.where];
    element.replaceChildren(
      h("div", { class: "rail-box" }, this.slider, this.rail),
      h("p", { class: "steps" }, ...steps),
    );
  }

  /**
   * Go there, at the next frame: of many wishes within one the last is carried out.
   * @param {number} place
   */
  to(place) {
    this.wanted = Math.min(Math.max(place, 1), this.count);
    if (this.frame !== undefined) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined;
      this.go(this.wanted);
    });
  }

  /** Where it stands, or is about to: keys come faster than frames. */
  get at() {
    return this.frame === undefined ? this.place : this.wanted;
  }

  /** Play, or stop playing. */
  toggle() {
    if (this.timer !== undefined) {
      clearInterval(this.timer);
      this.timer = undefined;
    } else {
      if (this.place >= this.count) this.to(1);
      this.timer = setInterval(() => {
        if (this.place < this.count) this.to(this.place + 1);
        else this.toggle();
      }, PACE_MS);
    }
    this.player.textContent = this.timer === undefined ? "Play" : "Stop";
    this.player.setAttribute("aria-label", this.timer === undefined ? "Play (p)" : "Stop playing (p)");
  }

  /**
   * Say where it stands.
   * @param {number} place
   * @param {number} count
   * @param {{turn: number}} standing
   * @param {string} said  what happened there
   * @param {number} [number]  the event's, for those who are told it
   */
  stands(place, count, standing, said, number) {
    this.place = place;
    this.count = count;
    this.slider.max = String(Math.max(count, 1));
    this.slider.value = String(place);
    const at = number === undefined ? "" : `Event ${number} · `;
    const where = `${at}${place} of ${count}`;
    this.slider.setAttribute("aria-valuetext", `${where}, turn ${standing.turn}. ${said}`);
    this.where.textContent = `${where} · turn ${standing.turn}`;
    this.first.disabled = this.back.disabled = place <= 1;
    this.on.disabled = this.last.disabled = place >= count;
  }

  /**
   * Draw what happened where: turns, failures, who sat down, what was found.
   * @param {{place: number, kind: string}[]} ticks
   */
  draw(ticks) {
    const every = Math.ceil(ticks.length / MOST_TICKS);
    const shown = ticks.filter((one, at) => one.kind !== "turn" || at % every === 0);
    const across = Math.max(this.count - 1, 1);
    this.rail.replaceChildren(
      ...shown.slice(0, 4 * MOST_TICKS).map((one) =>
        svg("rect", {
          class: `tick ${one.kind}`,
          x: (((one.place - 1) / across) * 1000).toFixed(1),
          y: one.kind === "turn" ? 2 : 0,
          width: one.kind === "turn" ? 1 : 3,
          height: one.kind === "turn" ? 2 : 6,
        }),
      ),
    );
  }
}
