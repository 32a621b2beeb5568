/**
 * A transcript in pieces, made of the socket's frames: the twin of gateway/pages/stage/transcript_items.py.
 * Pure; Node reads it too.
 */

import { minutesOf } from "../shared/words.js";

/** @import { Entry, Happened, Portrait, Seated } from "../client/frames.js" */

/**
 * @typedef {object} Item
 * @property {"turn"|"entry"|"note"|"end"} kind
 * @property {number} mark  what addresses call it
 * @property {number} at  microseconds since 1970-01-01 UTC
 * @property {number} turn
 * @property {number|null} seat
 * @property {string} who
 * @property {string} verb
 * @property {string} text
 * @property {string} to  whom it was whispered to
 * @property {boolean} hidden
 * @property {boolean} idle
 * @property {string} failed
 * @property {string} note
 * @property {string} by
 * @property {boolean} models  of a turn: a model may have been asked
 * @property {string} when  of an entry: by the environment's own clock; empty: it has none
 *
 * @typedef {ReturnType<Course["standingAt"]>} Standing  how an episode stood
 */

/** @type {Record<string, string>} */
const NOTES = {
  EpisodePaused: "The episode is paused",
  EpisodeStepped: "One step further",
  EpisodeContinued: "The episode goes on",
  EpisodeReopened: "The episode was reopened",
  EpisodeForked: "From here on it is a fork",
};

/** What one viewer was told, frame by frame, with what follows from it at each of them. */
export class Course {
  /**
   * @param {Portrait[]} portraits
   * @param {string|number} viewer  `narrator`, `spectator`, or a seat from 0
   */
  constructor(portraits, viewer) {
    this.names = portraits.map((one) => one.name);
    this.viewer = viewer;
    /** @type {Happened[]} */
    this.happened = [];
    /** @type {number[]} */
    this.marks = [];
    /** @type {Item[]} */
    this.items = [];
    /** Pieces there are after each frame. @type {number[]} */
    this.ends = [];
    /** All that was noticed, the environment's own. @type {unknown[]} */
    this.notices = [];
    /** How much was noticed after each frame. @type {number[]} */
    this.noticed = [];
    /** Places of the frames that say who sits where. @type {number[]} */
    this.seatings = [];
  }

  /** Frames there are. */
  get count() {
    return this.happened.length;
  }

  /**
   * One more frame.
   * @param {Happened} one
   * @param {number} mark
   */
  add(one, mark) {
    const before = this.happened.at(-1);
    const put = (/** @type {Parameters<typeof item>[2]} */ piece) => this.items.push(item(one, mark, piece));
    const turn = before?.turn ?? 0;
    if (one.turn > turn) {
      const seats = one.seats ?? this.seatsAt(this.count);
      const models = seats.some((seat) => ["model", "generative", "local model"].includes(seat.kind));
      put({ kind: "turn", turn: one.turn, models });
    }
    for (const entry of one.entries ?? []) this.items.push(entryItem(entry, one, mark, this));
    if (one.unnoticed && !one.entries?.length) {
      for (const seat of before?.waiting ?? []) {
        if ((one.waiting ?? []).includes(seat)) continue;
        const who = this.name(seat);
        put({ kind: "entry", turn: one.turn, seat, who, verb: "has answered", hidden: true, by: one.by ?? "" });
      }
    }
    for (const text of this.notes(one)) put({ kind: "note", turn: one.turn, text, by: one.by ?? "" });
    if (one.seats) this.seatings.push(this.count);
    if (one.ended) {
      const detail = one.detail ? ` (${one.detail})` : "";
      put({ kind: "end", turn: one.turn, text: `${one.ending ?? ""}${detail}` });
    }
    this.happened.push(one);
    this.marks.push(mark);
    this.ends.push(this.items.length);
    if (one.notices) this.notices.push(...one.notices);
    this.noticed.push(this.notices.length);
  }

  /**
   * Who sits where after so many frames.
   * @param {number} place
   * @returns {Seated[]}
   */
  seatsAt(place) {
    const found = this.seatings.findLast((one) => one < place);
    return (found === undefined ? null : this.happened[found].seats) ?? [];
  }

  /**
   * How the episode stood after so many frames.
   * @param {number} place
   */
  standingAt(place) {
    const one = this.happened[place - 1];
    return {
      mark: place ? this.marks[place - 1] : null,
      at: one?.at ?? 0,
      turn: one?.turn ?? 0,
      waiting: one?.waiting ?? [],
      paused: one?.paused ?? false,
      proposed: one?.proposed ?? [],
      ended: one?.ended ?? "",
      ending: one?.ending ?? "",
      seats: this.seatsAt(place),
    };
  }

  /**
   * Pieces there are after so many frames.
   * @param {number} place
   */
  endAt(place) {
    return place > 0 ? this.ends[place - 1] : 0;
  }

  /**
   * How many frames there were at a mark: those up to it.
   * @param {number} mark
   */
  placeOf(mark) {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.marks[middle] <= mark) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The place at which the turn before or behind a place begins.
   * @param {number} place
   * @param {1|-1} way
   */
  turnFrom(place, way) {
    const turn = this.happened[place - 1]?.turn ?? 0;
    if (way > 0) {
      const next = this.happened.findIndex((one, at) => at >= place && one.turn > turn);
      return next < 0 ? this.count : next + 1;
    }
    const first = this.happened.findIndex((one) => one.turn >= turn) + 1;
    if (first < place) return Math.max(first, 1);
    return Math.max(this.happened.findIndex((one) => one.turn >= turn - 1) + 1, 1);
  }

  /**
   * How much was noticed after so many frames.
   * @param {number} place
   */
  noticedAt(place) {
    return place > 0 ? this.noticed[place - 1] : 0;
  }

  /**
   * After how many frames something was noticed: a notice names its event to who knows everything,
   * and to others the frame.
   * @param {number} number  a notice's
   */
  placeOfNotice(number) {
    return this.viewer === "narrator" || this.viewer === "judge" ? this.placeOf(number) : number;
  }

  /** @param {number} seat */
  name(seat) {
    return this.names[seat] ?? `seat ${seat + 1}`;
  }

  /** @param {Happened} one */
  notes(one) {
    const notes = one.tag && NOTES[one.tag] ? [NOTES[one.tag]] : [];
    const before = this.seatsAt(this.count);
    (one.seats ?? []).slice(0, before.length).forEach((now, at) => {
      const was = before[at];
      const name = this.name(now.seat);
      if (now.participant && now.participant !== was.participant) {
        const free = was.kind === "person" && !was.participant;
        notes.push(`${now.participant} takes ${name}'s seat${free ? "" : ` from ${was.participant || was.mind}`}`);
      } else if (was.participant && !now.participant) {
        const after = now.kind === "person" ? `leaves ${name}'s seat` : `hands ${name}'s seat to ${now.mind}`;
        notes.push(`${was.participant} ${after}`);
      } else if (now.mind !== was.mind) {
        notes.push(`${now.mind} takes ${name}'s seat from ${was.mind}`);
      }
    });
    return notes;
  }
}

/**
 * @param {Entry} entry
 * @param {Happened} one
 * @param {number} mark
 * @param {Course} course
 * @returns {Item}
 */
function entryItem(entry, one, mark, course) {
  let verb = entry.verb ?? "";
  let text = entry.text ?? "";
  if (!entry.who) text = text || entry.line;
  else if (!text && !verb && !entry.failed) text = entry.line;
  const to = (entry.to ?? []).map((seat) =>
    seat === course.viewer ? "you" : course.name(seat),
  );
  const seat = entry.seat ?? null;
  return item(one, mark, {
    kind: "entry",
    turn: entry.turn,
    seat,
    who: entry.who ?? "",
    verb,
    text,
    to: to.join(", "),
    hidden: Boolean(one.unnoticed) && !to.length && seat !== null && !entry.failed,
    idle: Boolean(entry.idle),
    failed: entry.failed ?? "",
    note: entry.note ?? "",
    by: one.by ?? "",
    when: entry.when ?? "",
  });
}

/**
 * @param {Happened} one
 * @param {number} mark
 * @param {Pick<Item, "kind"|"turn"> & Partial<Item>} piece
 * @returns {Item}
 */
function item(one, mark, piece) {
  const nothing = { seat: null, who: "", verb: "", text: "", to: "", failed: "", note: "", by: "", models: false, when: "" };
  return { mark, at: one.at, ...nothing, hidden: false, idle: false, ...piece };
}

/**
 * How long after the beginning, as `1:02` or `1:01:02`.
 * @param {number} at
 * @param {number} began
 */
export function clock(at, began) {
  const seconds = Math.floor((at - began) / 1e6);
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${minutesOf(seconds % 3600).padStart(5, "0")}` : minutesOf(seconds);
}
