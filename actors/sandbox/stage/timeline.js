/**
 * What everybody in a town did when, indexed by time, so that any moment is found at once however
 * long it lived. Pure. Times are steps, and may lie between two.
 */

/** @import { Notice, Person, Tile } from "./views.js" */

/**
 * @typedef {object} Doing
 * @property {number} at
 * @property {string} text
 * @property {string} address
 * @property {string} emoji
 * @property {number} until
 * @property {string} fault
 * @property {number} number  of the event
 * @property {number} turn
 *
 * @typedef {object} Walk
 * @property {number} at
 * @property {Int16Array} xs  a column for each step from `at` on
 * @property {Int16Array} ys
 *
 * @typedef {object} Line
 * @property {number} seat
 * @property {string} text
 * @property {number} number
 *
 * @typedef {object} Talk
 * @property {number} id
 * @property {[number, number]} seats
 * @property {number} at
 * @property {number} until  when what it took has passed; Infinity: it goes on
 * @property {string} about
 * @property {Line[]} lines
 * @property {number} number
 *
 * @typedef {object} Glimpse
 * @property {number} at
 * @property {Person[]} seen
 *
 * @typedef {object} Moment
 * @property {number} at
 * @property {number} number  of the last event in it
 */

const WAYS = /** @type {Record<string, [number, number]>} */ ({ N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] });

/** How it is told what those do who have talked. */
const CONVERSING = "conversing about ";

export class Timeline {
  /**
   * @param {number} seats
   * @param {(Tile|null)[]} [tiles]  where everybody is at first
   */
  constructor(seats, tiles = []) {
    /** @type {Doing[][]} */
    this.doings = Array.from({ length: seats }, () => []);
    /** @type {Walk[][]} */
    this.walks = Array.from({ length: seats }, (_, at) => {
      const tile = tiles[at];
      return tile ? [walk(0, tile, "")] : [];
    });
    /** @type {Glimpse[][]} */
    this.glimpses = Array.from({ length: seats }, () => []);
    /** In the order in which they began. @type {Talk[]} */
    this.talks = [];
    /** Of each seat. @type {Talk[][]} */
    this.talksOf = Array.from({ length: seats }, () => []);
    /** @type {Moment[]} */
    this.moments = [];
    /** What was done, by the number of the event. @type {Map<number, (Doing & {seat: number})[]>} */
    this.byNumber = new Map();
    /** When it was, by the number of the event. @type {Map<number, number>} */
    this.times = new Map();
    /** Notices taken in. */
    this.taken = 0;
    /** The last step that is known of. */
    this.end = 0;
  }

  /**
   * Take in what is new in a list that only grows.
   * @param {Notice[]} notices
   */
  take(notices) {
    for (; this.taken < notices.length; this.taken += 1) this.add(notices[this.taken]);
  }

  /** @param {Notice} notice */
  add(notice) {
    const { number = 0, turn = 0 } = notice;
    const at = ("at" in notice ? notice.at : undefined) ?? this.end;
    this.end = Math.max(this.end, at);
    this.times.set(number, at);
    const moment = this.moments.at(-1);
    if (moment?.at === at) moment.number = number;
    else this.moments.push({ at, number });
    switch (notice.type) {
      case "did": {
        const { seat, text, address, emoji = "", until, fault = "", tile } = notice;
        const doing = { at, text, address, emoji, until, fault, number, turn };
        this.doings[seat].push(doing);
        this.closes(seat, doing);
        if (tile) this.walks[seat].push(walk(at, tile, notice.way ?? ""));
        const known = this.byNumber.get(number);
        if (known) known.push({ ...doing, seat });
        else this.byNumber.set(number, [{ ...doing, seat }]);
        break;
      }
      case "perceived":
        this.glimpses[notice.seat].push({ at, seen: notice.seen ?? [] });
        break;
      case "talk_begun": {
        const { talk: id, seats } = notice;
        /** @type {Talk} */
        const talk = { id, seats, at, until: Infinity, about: "", lines: [], number };
        this.talks.push(talk);
        for (const one of seats) this.talksOf[one]?.push(talk);
        break;
      }
      case "talk_done": {
        const talk = this.talks.findLast((one) => one.id === notice.talk);
        if (talk) [talk.until, talk.about] = [notice.until, notice.about ?? ""];
        break;
      }
      case "said":
        this.talksOf[notice.seat]?.at(-1)?.lines.push({ seat: notice.seat, text: notice.text, number });
        break;
      default:
    }
  }

  /**
   * What somebody does next says that their talk is over: what it took, and what it was about.
   * @param {number} seat
   * @param {Doing} doing
   */
  closes(seat, { at, text, until }) {
    const talk = this.talksOf[seat].at(-1);
    if (!talk || Number.isFinite(talk.until)) return;
    const conversing = text.startsWith(CONVERSING);
    talk.until = conversing ? until : at;
    if (conversing) talk.about = text.slice(CONVERSING.length);
  }

  /**
   * What somebody does at a time; null: nothing is known.
   * @param {number} seat
   * @param {number} time
   */
  doing(seat, time) {
    return this.doings[seat]?.[lastAt(this.doings[seat], time)] ?? null;
  }

  /**
   * Where somebody is at a time; null: nothing is known.
   * @param {number} seat
   * @param {number} time
   * @returns {{x: number, y: number, walking: boolean}|null}
   */
  place(seat, time) {
    const found = this.walks[seat]?.[lastAt(this.walks[seat], time)];
    if (!found) return null;
    const most = found.xs.length - 1;
    const gone = Math.min(Math.max(time - found.at, 0), most);
    const [step, part] = [Math.floor(gone), gone - Math.floor(gone)];
    const next = Math.min(step + 1, most);
    return {
      x: found.xs[step] + (found.xs[next] - found.xs[step]) * part,
      y: found.ys[step] + (found.ys[next] - found.ys[step]) * part,
      walking: gone < most,
    };
  }

  /**
   * The way that somebody is on, or came by last.
   * @param {number} seat
   * @param {number} time
   */
  walk(seat, time) {
    return this.walks[seat]?.[lastAt(this.walks[seat], time)] ?? null;
  }

  /**
   * The talk that somebody is in; null: none.
   * @param {number} seat
   * @param {number} time
   */
  talk(seat, time) {
    const found = this.talksOf[seat]?.[lastAt(this.talksOf[seat], time)];
    return found && time < Math.max(found.until, found.at + 1) ? found : null;
  }

  /**
   * The last moment up to a time; null: there is none.
   * @param {number} time
   */
  moment(time) {
    return this.moments[lastAt(this.moments, time)] ?? null;
  }

  /**
   * The moment before or behind a time; null: there is none.
   * @param {number} time
   * @param {1|-1} way
   */
  beside(time, way) {
    const at = lastAt(this.moments, time);
    if (way > 0) return this.moments[at + 1] ?? null;
    return (this.moments[at]?.at < time ? this.moments[at] : this.moments[at - 1]) ?? null;
  }
}

/**
 * The place of the last in a list that is not later than a time; -1: all are.
 * @param {{at: number}[]} list
 * @param {number} time
 */
function lastAt(list, time) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].at <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * @param {number} at
 * @param {Tile} tile
 * @param {string} way
 * @returns {Walk}
 */
function walk(at, tile, way) {
  const xs = new Int16Array(way.length + 1);
  const ys = new Int16Array(way.length + 1);
  [xs[0], ys[0]] = tile;
  for (let step = 0; step < way.length; step += 1) {
    const [dx, dy] = WAYS[way[step]] ?? [0, 0];
    xs[step + 1] = xs[step] + dx;
    ys[step + 1] = ys[step] + dy;
  }
  return { at, xs, ys };
}
