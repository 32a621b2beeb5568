/** One inhabitant at a moment: what they do, their day, what they remember, their talks, their calls. */

import { button, h } from "../../shared/elements.js";
import { counted, initials, messageOf } from "../../shared/words.js";
import { minuteOfDay } from "./hours.js";
import { shortAddress } from "./map.js";

/** @import { DayPlanned, MemoryAdded, StatusRevised, TaskPlanned, Thinking, Thought } from "../../../gateway/static/stage/thoughts.js" */
/** @import { Child } from "../../../gateway/static/shared/elements.js" */
/** @import { Action } from "./views.js" */
/** @import { Doing, Talk } from "./timeline.js" */
/** @import { Town } from "./town.js" */

const SECTIONS = ["head", "now", "plan", "memory", "talks", "calls"];
const MOST_MEMORIES = 40;
const MOST_DECISIONS = 12;
/** Between two looks at what somebody thinks, while the town lives. */
const FETCH_MS = 5000;

export class PersonPanel {
  /** @param {Town} town */
  constructor(town) {
    this.town = town;
    this.element = h("div", { class: "town-person" });
    this.seat = -1;
    /** The place of what is due in the plan of the day; -1: nothing is. */
    this.block = -1;
    /** When thoughts were asked for last. */
    this.fetched = 0;
    /** What minds concluded, by seat. @type {Map<number, Thinking<Action>[]|string>} */
    this.thoughts = new Map();
    /** Sections that are open, by name. */
    this.open = new Set(["Plan"]);
    this.places = new Map(SECTIONS.map((name) => [name, h("div", {})]));
    this.element.append(...this.places.values());
    /** What each section shows. @type {Map<string, string>} */
    this.shown = new Map();
  }

  /** @param {number} seat */
  choose(seat) {
    this.seat = seat;
    this.shown.clear();
    for (const place of this.places.values()) place.replaceChildren();
    if (!this.town.ended || !this.thoughts.has(seat)) this.fetch();
  }

  /** There may be more to know of whoever is chosen, while the town lives. */
  more() {
    if (performance.now() - this.fetched > FETCH_MS) this.fetch();
  }

  fetch() {
    const { seat, town } = this;
    if (seat < 0 || !town.page.thoughts) return;
    this.fetched = performance.now();
    town.page.thoughts(seat).then(
      (found) => {
        this.thoughts.set(seat, /** @type {Thinking<Action>[]} */ (found));
        town.show();
      },
      (error) => {
        this.thoughts.set(seat, messageOf(error));
        town.show();
      },
    );
  }

  /** @param {number} time */
  show(time) {
    const { seat, town } = this;
    if (seat < 0) return;
    this.section("head", String(seat), () => this.head());
    const doing = town.timeline.doing(seat, time);
    const talk = town.timeline.talk(seat, time);
    this.section("now", `${doing?.number}/${talk?.id}/${talk?.lines.length}`, () => this.now(doing, talk));
    if (town.page.thoughts) this.mind(time);
    const talks = town.timeline.talksOf[seat].filter((one) => one.at <= time);
    this.section("talks", String(talks.length), () => this.talks(talks));
  }

  /**
   * Make a section anew where what it shows has changed.
   * @param {string} name
   * @param {string} key
   * @param {() => HTMLElement} made
   */
  section(name, key, made) {
    if (this.shown.get(name) === key) return;
    this.shown.set(name, key);
    this.places.get(name)?.replaceChildren(made());
  }

  head() {
    const { town, seat } = this;
    const portrait = town.portraits[seat];
    const back = button("‹ Everybody", () => town.choose(-1), { class: "small quiet" });
    const follow = button("Follow", () => town.follow(!town.follows), { "aria-pressed": String(town.follows) });
    return h(
      "div",
      { class: `seat-${(seat % 8) + 1}` },
      h("div", { class: "row spread" }, back, follow),
      h("h3", { class: "town-name", tabindex: -1 }, h("span", { class: "town-disc" }, initials(town.name(seat))), town.name(seat)),
      ...(portrait?.brief ?? []).filter(Boolean).map((one) => h("p", { class: "muted small" }, one)),
      portrait?.goal ? h("p", { class: "small" }, h("span", { class: "muted" }, "Wants "), portrait.goal) : null,
    );
  }

  /**
   * @param {Doing|null} doing
   * @param {Talk|null} talk
   */
  now(doing, talk) {
    const { hours } = this.town;
    const parts = doing
      ? [
          h("p", { class: "town-does" }, doing.emoji && this.town.painter.emoji ? `${doing.emoji} ` : "", doing.text),
          h("p", { class: "muted small" }, shortAddress(doing.address)),
          h("p", { class: "muted small" }, `${hours.clock(doing.at)} to ${hours.clock(doing.until)}`),
          doing.fault ? h("p", { class: "small" }, h("span", { class: "badge warn" }, doing.fault.replaceAll("_", " "))) : null,
        ]
      : [h("p", { class: "muted" }, "Nothing is known of what they do now.")];
    const said = talk ? [h("h4", {}, `Talks with ${this.town.name(partner(talk, this.seat))}`), lines(this.town, talk)] : [];
    return h("div", { class: "town-now" }, ...parts, ...said);
  }

  /** @param {Talk[]} talks */
  talks(talks) {
    const { town } = this;
    const row = (/** @type {Talk} */ talk) =>
      h(
        "li",
        {},
        momentRow(town, talk.at, `with ${town.name(partner(talk, this.seat))}`),
        h("details", {}, h("summary", { class: "small" }, talk.about || counted(talk.lines.length, "utterance")), lines(town, talk)),
      );
    return this.folded("Talks", talks.length, () =>
      talks.length ? h("ul", { class: "town-list" }, ...talks.toReversed().map(row)) : none("No talk yet."),
    );
  }

  /** @param {number} time */
  mind(time) {
    const found = this.thoughts.get(this.seat);
    const { hours } = this.town;
    if (typeof found !== "object") {
      const why = found ? `${found}.` : "Their thoughts are being fetched …";
      this.section("plan", why, () => h("p", { class: "muted small" }, why));
      return;
    }
    const until = found.filter((one) => one.at <= (Math.floor(time) + 1) * hours.step - 0.001);
    const minute = Math.floor(hours.ofDay(time) / 60);
    const thoughts = until.flatMap((one) => one.thoughts);
    const task = thoughts.findLast((one) => one.type === "TaskPlanned");
    const status = thoughts.findLast((one) => one.type === "StatusRevised");
    const day = thoughts.findLast((one) => one.type === "DayPlanned");
    this.block = (day?.schedule ?? []).findIndex((one) => one.start <= minute && minute < one.start + one.minutes);
    const places = [task, status, day].map((one) => (one ? thoughts.lastIndexOf(one) : -1));
    this.section("plan", `plan/${places.join("/")}`, () => this.folded("Plan", 0, () => this.plan(task, status, day)));
    // The plan of a day is long, and stays while one goes through the day.
    this.places.get("plan")?.querySelectorAll(".town-day > li").forEach((row, at) => {
      if (at === this.block) row.setAttribute("aria-current", "time");
      else if (row.hasAttribute("aria-current")) row.removeAttribute("aria-current");
    });
    const now = time * hours.step;
    const memories = thoughts.filter((one) => one.type === "MemoryAdded").filter((one) => (one.expires ?? Infinity) > now);
    this.section("memory", `memory/${until.length}/${memories.length}`, () =>
      this.folded("Memory", memories.length, () => [this.memory(memories), ...this.reflections(thoughts)]),
    );
    this.section("calls", `calls/${until.length}`, () => this.folded("Decisions", until.length, () => this.decisions(until)));
  }

  /**
   * @param {TaskPlanned|undefined} task
   * @param {StatusRevised|undefined} status
   * @param {DayPlanned|undefined} day
   */
  plan(task, status, day) {
    const parts = [];
    if (task) parts.push(h("p", { class: "small" }, h("b", {}, "For the task: "), task.plan));
    if (task?.checklist.length) parts.push(h("ul", { class: "small" }, ...task.checklist.map((one) => h("li", {}, one))));
    if (status) parts.push(h("p", { class: "small" }, status.currently));
    if (day?.plan?.length) parts.push(h("ol", { class: "small town-strokes" }, ...day.plan.map((one) => h("li", {}, one))));
    if (day?.schedule?.length) {
      parts.push(
        h(
          "ol",
          { class: "town-day" },
          ...day.schedule.map((one, at) =>
            h(
              "li",
              { "aria-current": at === this.block ? "time" : null },
              h("span", { class: "town-when" }, minuteOfDay(one.start)),
              h("span", {}, one.text, one.address ? h("span", { class: "muted" }, ` ${last(one.address)}`) : null),
            ),
          ),
        ),
      );
    }
    return parts.length ? parts : [none("No plan is kept for them.")];
  }

  /** @param {MemoryAdded[]} memories */
  memory(memories) {
    if (!memories.length) return none("Nothing is kept.");
    const { hours } = this.town;
    const rows = memories
      .slice(-MOST_MEMORIES)
      .toReversed()
      .map((one) =>
        h(
          "li",
          { class: `town-memory ${one.kind}` },
          h("span", { class: "town-when" }, hours.full(one.at / hours.step)),
          h("span", { class: "badge" }, one.kind),
          one.importance && one.importance > 1 ? h("span", { class: "muted small" }, `importance ${Math.round(one.importance)}`) : null,
          h("p", {}, one.text),
        ),
      );
    const left = memories.length - rows.length;
    return h("div", {}, h("ul", { class: "town-list" }, ...rows), left > 0 ? none(`${left} older ones.`) : null);
  }

  /** @param {Thought[]} thoughts */
  reflections(thoughts) {
    const asked = thoughts.flatMap((one) => (one.type === "Reflected" && one.questions ? [one.questions] : []));
    return asked.slice(-2).map((questions) =>
      h("div", { class: "small" }, h("h4", {}, "Asked themselves"), h("ul", {}, ...questions.map((text) => h("li", {}, text)))),
    );
  }

  /** @param {Thinking<Action>[]} decisions */
  decisions(decisions) {
    const { town } = this;
    if (!decisions.length) return none("Nothing was thought about yet.");
    const rows = decisions
      .slice(-MOST_DECISIONS)
      .toReversed()
      .map((one) =>
        h(
          "li",
          { class: "town-decision" },
          momentRow(town, one.at / town.hours.step, answered(one.action)),
          town.page.calls ? button("calls", () => town.page.calls?.(one.turn, this.seat), { class: "small quiet" }) : null,
        ),
      );
    return h("ul", { class: "town-list" }, ...rows);
  }

  /**
   * A part that opens and closes, and stays as it is from one moment to the next.
   * @param {string} name
   * @param {number} many
   * @param {() => Child|Child[]} made  what is in it, once it is open
   */
  folded(name, many, made) {
    const open = this.open.has(name);
    const place = h("div", {}, open ? made() : null);
    const element = h("details", { open }, h("summary", {}, many ? `${name} (${many})` : name), place);
    element.addEventListener("toggle", () => {
      if (!element.open) this.open.delete(name);
      else if (!this.open.has(name)) {
        this.open.add(name);
        place.replaceChildren(...h("div", {}, made()).childNodes);
      }
    });
    return element;
  }
}

/**
 * @param {Town} town
 * @param {Talk} talk
 */
export function lines(town, talk) {
  if (!talk.lines.length) return none("Nothing is known of what was said.");
  return h(
    "ul",
    { class: "town-lines" },
    ...talk.lines.map((one) =>
      h("li", { class: `seat-${(one.seat % 8) + 1}` }, h("b", {}, `${town.name(one.seat).split(" ")[0]}: `), one.text),
    ),
  );
}

/**
 * A button that leads to a moment.
 * @param {Town} town
 * @param {number} time
 * @param {string} what  was then
 */
export function momentRow(town, time, what) {
  return button([h("b", {}, town.hours.full(time)), h("span", {}, what)], () => town.seek(time), { class: "town-row" });
}

/** @param {Talk} talk @param {number} seat */
export function partner(talk, seat) {
  return talk.seats[0] === seat ? talk.seats[1] : talk.seats[0];
}

/** @type {Record<string, string>} */
const ANSWERS = { "sandbox.CarryOn": "goes on", "sandbox.TalkTo": "begins a talk", "sandbox.Idle": "no answer" };

/** @param {Action} action */
function answered({ type, text }) {
  if (text) return type === "sandbox.Say" ? `“${text}”` : text;
  return ANSWERS[type] ?? type.replace("sandbox.", "");
}

/** @param {string} address */
function last(address) {
  return address.split(":").at(-1) ?? "";
}

/** @param {string} text */
export function none(text) {
  return h("p", { class: "muted small" }, text);
}
