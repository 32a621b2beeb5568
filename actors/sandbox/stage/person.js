/** One inhabitant at a moment: what they do, their day, what they remember, their talks, their calls. */

import { h } from "../../shared/elements.js";
import { minuteOfDay } from "./hours.js";
import { shortAddress } from "./map.js";

const SECTIONS = ["head", "now", "plan", "memory", "talks", "calls"];
const MOST_MEMORIES = 40;
const MOST_DECISIONS = 12;
/** Between two looks at what somebody thinks, while the town lives. */
const FETCH_MS = 5000;

export class PersonPanel {
  /**
   * @param {import("./town.js").Town} town
   */
  constructor(town) {
    this.town = town;
    this.element = h("div", { class: "town-person" });
    this.seat = -1;
    /** The place of what is due in the plan of the day; -1: nothing is. */
    this.block = -1;
    /** When thoughts were asked for last. */
    this.fetched = 0;
    /** What minds concluded, by seat. @type {Map<number, any[]|string>} */
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
        this.thoughts.set(seat, found);
        town.show();
      },
      (error) => {
        this.thoughts.set(seat, error instanceof Error ? error.message : String(error));
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
    const portrait = town.portraits[seat] ?? {};
    const back = h("button", { type: "button", class: "small quiet", onclick: () => town.choose(-1) }, "‹ Everybody");
    const follow = h(
      "button",
      { type: "button", class: "small", "aria-pressed": String(town.follows), onclick: () => town.follow(!town.follows) },
      "Follow",
    );
    return h(
      "div",
      { class: `seat-${(seat % 8) + 1}` },
      h("div", { class: "row spread" }, back, follow),
      h("h3", { class: "town-name", tabindex: -1 }, h("span", { class: "town-disc" }, initials(town.name(seat))), town.name(seat)),
      ...(portrait.brief ?? []).filter(Boolean).map((/** @type {string} */ one) => h("p", { class: "muted small" }, one)),
      portrait.goal ? h("p", { class: "small" }, h("span", { class: "muted" }, "Wants "), portrait.goal) : null,
    );
  }

  /**
   * @param {import("./timeline.js").Doing|null} doing
   * @param {import("./timeline.js").Talk|null} talk
   */
  now(doing, talk) {
    const { hours } = this.town;
    const parts = doing
      ? [
          h("p", { class: "town-does" }, doing.emoji && this.town.painter.emoji ? `${doing.emoji} ` : "", doing.text),
          h("p", { class: "muted small" }, shortAddress(doing.address)),
          h("p", { class: "muted small" }, `${hours.clock(doing.at)} to ${hours.clock(doing.until)}`),
          doing.fault ? h("p", { class: "small" }, h("span", { class: "badge warn" }, words(doing.fault))) : null,
        ]
      : [h("p", { class: "muted" }, "Nothing is known of what they do now.")];
    const said = talk ? [h("h4", {}, `Talks with ${this.town.name(partner(talk, this.seat))}`), lines(this.town, talk)] : [];
    return h("div", { class: "town-now" }, ...parts, ...said);
  }

  /** @param {import("./timeline.js").Talk[]} talks */
  talks(talks) {
    const { town } = this;
    const row = (/** @type {import("./timeline.js").Talk} */ talk) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "town-row", onclick: () => town.seek(talk.at) },
          h("b", {}, town.hours.full(talk.at)),
          h("span", {}, `with ${town.name(partner(talk, this.seat))}`),
        ),
        h("details", {}, h("summary", { class: "small" }, talk.about || count(talk.lines.length, "utterance")), lines(town, talk)),
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
    const last = (/** @type {string} */ type) => thoughts.findLast((one) => one.type === type);
    const plans = ["TaskPlanned", "StatusRevised", "DayPlanned"].map(last);
    const schedule = plans[2]?.schedule ?? [];
    this.block = schedule.findIndex(
      (/** @type {any} */ one) => one.start <= minute && minute < one.start + one.minutes,
    );
    const places = plans.map((one) => thoughts.lastIndexOf(one));
    this.section("plan", `plan/${places.join("/")}`, () => this.folded("Plan", 0, () => this.plan(plans)));
    // The plan of a day is long, and stays while one goes through the day.
    this.places.get("plan")?.querySelectorAll(".town-day > li").forEach((row, at) => {
      if (at === this.block) row.setAttribute("aria-current", "time");
      else if (row.hasAttribute("aria-current")) row.removeAttribute("aria-current");
    });
    const now = time * hours.step;
    const memories = thoughts.filter((one) => one.type === "MemoryAdded" && (one.expires ?? Infinity) > now);
    this.section("memory", `memory/${until.length}/${memories.length}`, () =>
      this.folded("Memory", memories.length, () => [this.memory(memories), ...this.reflections(thoughts)]),
    );
    this.section("calls", `calls/${until.length}`, () => this.folded("Decisions", until.length, () => this.decisions(until)));
  }

  /** @param {any[]} plans  for the task, what one is about these days, and the day's, as far as there are */
  plan([task, status, planned]) {
    const parts = [];
    if (task) {
      parts.push(
        h("p", { class: "small" }, h("b", {}, "For the task: "), task.plan),
        task.checklist?.length ? h("ul", { class: "small" }, ...task.checklist.map((/** @type {string} */ one) => h("li", {}, one))) : null,
      );
    }
    if (status) parts.push(h("p", { class: "small" }, status.currently));
    if (planned?.plan?.length) {
      parts.push(h("ol", { class: "small town-strokes" }, ...planned.plan.map((/** @type {string} */ one) => h("li", {}, one))));
    }
    if (planned?.schedule?.length) {
      parts.push(
        h(
          "ol",
          { class: "town-day" },
          ...planned.schedule.map((/** @type {any} */ one, /** @type {number} */ at) =>
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

  /** @param {any[]} memories */
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
          one.importance > 1 ? h("span", { class: "muted small" }, `importance ${Math.round(one.importance)}`) : null,
          h("p", {}, one.text),
        ),
      );
    const left = memories.length - rows.length;
    return h("div", {}, h("ul", { class: "town-list" }, ...rows), left > 0 ? none(`${left} older ones.`) : null);
  }

  /** @param {any[]} thoughts */
  reflections(thoughts) {
    const found = thoughts.filter((one) => one.type === "Reflected" && one.questions?.length).slice(-2);
    return found.map((one) =>
      h("div", { class: "small" }, h("h4", {}, "Asked themselves"), h("ul", {}, ...one.questions.map((/** @type {string} */ text) => h("li", {}, text)))),
    );
  }

  /** @param {any[]} decisions */
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
          h("button", { type: "button", class: "town-row", onclick: () => town.seek(one.at / town.hours.step) },
            h("b", {}, town.hours.full(one.at / town.hours.step)),
            h("span", {}, answered(one.action)),
          ),
          town.page.calls
            ? h("button", { type: "button", class: "small quiet", onclick: () => town.page.calls?.(one.turn, this.seat) }, "calls")
            : null,
        ),
      );
    return h("ul", { class: "town-list" }, ...rows);
  }

  /**
   * A part that opens and closes, and stays as it is from one moment to the next.
   * @param {string} name
   * @param {number} many
   * @param {() => any} made  what is in it, once it is open
   */
  folded(name, many, made) {
    const open = this.open.has(name);
    const place = h("div", {}, open ? made() : null);
    const element = /** @type {HTMLDetailsElement} */ (
      h("details", { open }, h("summary", {}, many ? `${name} (${many})` : name), place)
    );
    element.addEventListener("toggle", () => {
      if (!element.open) this.open.delete(name);
      else if (!this.open.has(name)) {
        this.open.add(name);
        place.replaceChildren(...[made()].flat().filter(Boolean));
      }
    });
    return element;
  }
}

/**
 * @param {import("./town.js").Town} town
 * @param {import("./timeline.js").Talk} talk
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

/** @param {string} name */
export function initials(name) {
  const parts = name.split(/\s+/).filter(Boolean);
  return `${[...(parts[0] ?? "?")][0] ?? "?"}${parts.length > 1 ? [...(parts.at(-1) ?? "")][0] : ""}`.toUpperCase();
}

/** @param {import("./timeline.js").Talk} talk @param {number} seat */
function partner(talk, seat) {
  return talk.seats[0] === seat ? talk.seats[1] : talk.seats[0];
}

/** @param {any} action */
function answered(action) {
  if (!action) return "";
  const kind = String(action.type ?? "").split(".").pop() ?? "";
  if (action.text) return kind === "Say" ? `“${action.text}”` : action.text;
  return { CarryOn: "goes on", TalkTo: "begins a talk", Idle: "no answer" }[/** @type {"Idle"} */ (kind)] ?? kind;
}

/** @param {string} text */
export function words(text) {
  return text.replaceAll("_", " ");
}

/** @param {string} address */
function last(address) {
  return address.split(":").at(-1) ?? "";
}

/** @param {string} text */
export function none(text) {
  return h("p", { class: "muted small" }, text);
}

/** @param {number} many @param {string} what */
function count(many, what) {
  return `${many} ${what}${many === 1 ? "" : "s"}`;
}
