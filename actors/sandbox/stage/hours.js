/** A town's time in words. Pure: its own dates, whatever zone the reader is in. */

const DAY_S = 86_400;
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

export class Hours {
  /**
   * @param {string} start  `2023-02-13 00:00:00`
   * @param {number} step  seconds of one
   */
  constructor(start, step) {
    const parsed = Date.parse(`${start.trim().replace(" ", "T")}Z`);
    this.start = Number.isNaN(parsed) ? 0 : parsed / 1000;
    this.step = step;
  }

  /** Seconds after midnight. @param {number} time */
  ofDay(time) {
    return (((this.start + time * this.step) % DAY_S) + DAY_S) % DAY_S;
  }

  /** `09:12`. @param {number} time */
  clock(time) {
    const seconds = this.ofDay(Math.floor(time));
    const two = (/** @type {number} */ number) => String(Math.floor(number)).padStart(2, "0");
    const rest = this.step % 60 ? `:${two(seconds % 60)}` : "";
    return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}${rest}`;
  }

  /** `Mon 13 Feb`. @param {number} time */
  date(time) {
    return weekday.format(new Date((this.start + Math.floor(time) * this.step) * 1000)).replace(",", "");
  }

  /** Both. @param {number} time */
  full(time) {
    return `${this.date(time)}, ${this.clock(time)}`;
  }

  /**
   * How dark it is: 0 by day, 1 at night, between at dawn and dusk.
   * @param {number} time
   */
  dark(time) {
    const hour = this.ofDay(time) / 3600;
    if (hour < 12) return 1 - rise((hour - 5.5) / 2);
    return rise((hour - 18) / 2.5);
  }

  /** Steps at which a day or an hour of it begins. @param {number} end @param {number} every  seconds */
  marks(end, every) {
    /** @type {number[]} */
    const found = [];
    const first = Math.ceil(this.start / every) * every;
    for (let at = (first - this.start) / this.step; at <= end; at += every / this.step) found.push(at);
    return found;
  }
}

/** From 0 to 1, softly. @param {number} share */
function rise(share) {
  const held = Math.min(Math.max(share, 0), 1);
  return held * held * (3 - 2 * held);
}

/** Minutes after midnight as `07:30`. @param {number} minutes */
export function minuteOfDay(minutes) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
}
