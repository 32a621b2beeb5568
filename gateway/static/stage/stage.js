/** The page *Stage*: goes through an episode as one viewer was told of it, and on with it live. */

import { all, button, byId, h } from "../shared/elements.js";
import { harmless } from "../shared/harmless.js";
import { doing } from "../shared/words.js";
import { guesses } from "./guesses.js";
import { Course } from "./items.js";
import { listen } from "./keys.js";
import { has, matches } from "./lit.js";
import { unpacked } from "./packing.js";
import { panels, scoresShown, showCalls } from "./panels.js";
import { Picture, pieceAt } from "./picture.js";
import { Scrubber } from "./scrubber.js";
import { Transcript } from "./transcript.js";

/** @import { Happened, Portrait, Scene, Seated } from "../client/frames.js" */
/** @import { Standing } from "./items.js" */
/** @import { Story } from "./packing.js" */
/** @import { Page, Told } from "./picture.js" */

/**
 * @typedef {object} PageData
 * @property {string} episode
 * @property {string} base
 * @property {string} viewer  as addresses have it
 * @property {boolean} knowsAll
 * @property {string} name  of whoever looks; empty for those who do not know everything
 * @property {number} began
 * @property {number|null} at
 * @property {string} ended
 * @property {string} piece
 */

/** The place of the scene among what a search finds. */
const SCENE = -1;

export class Stage {
  /** @param {PageData} data */
  constructor(data) {
    this.data = data;
    this.viewer = data.viewer;
    this.course = new Course([], "narrator");
    /** @type {Scene|null} */
    this.scene = null;
    this.place = 0;
    this.following = data.at === null;
    this.picture = new Picture(byId("drawing"), this.forPicture());
    this.transcript = new Transcript(byId("transcript"), byId("earlier"), data);
    this.scrubber = new Scrubber(byId("scrubber"), (place) => this.go(place, { glance: true }));
    /** @type {number[]} */
    this.hits = [];
    this.hit = -1;
    /** Called after each change of what is looked at. @type {((stage: Stage) => void)[]} */
    this.watchers = [];
    /** @type {number|undefined} */
    this.coming = undefined;
    /** @type {number|undefined} */
    this.writing = undefined;
  }

  /** Load what the viewer was told, and show it. */
  async begin() {
    const [told, piece] = await Promise.all([this.load(this.viewer), pieceAt(this.data.piece)]);
    this.picture.piece = piece;
    if (piece.wide) byId("boards").before(byId("picture"));
    byId("picture").classList.toggle("wide-picture", piece.wide === true);
    this.take(told);
    const hash = /^#event-(\d+)$/.exec(location.hash);
    let place = this.data.at === null ? this.course.count : this.course.placeOf(this.data.at);
    if (hash && !document.getElementById(location.hash.slice(1))) place = this.course.placeOf(Number(hash[1]));
    const scroll = this.data.at !== null && !hash;
    this.go(Math.max(place, Math.min(1, this.course.count)), { scroll });
    this.target();
    byId("stage").dataset.ready = "";
    performance.mark("stage-ready");
  }

  /**
   * @param {string} viewer
   * @returns {Promise<Story>}
   */
  async load(viewer) {
    const answer = await fetch(`${this.data.base}/told?as=${encodeURIComponent(viewer)}`);
    if (!answer.ok) throw new Error(`the episode cannot be loaded (${answer.status})`);
    return unpacked(await answer.json());
  }

  /**
   * Begin with all that a viewer was told.
   * @param {Story} told
   */
  take(told) {
    this.scene = told.scene;
    this.course = new Course(told.scene.portraits, told.viewer);
    told.happened.forEach((one, at) => this.course.add(one, told.numbers?.[at] ?? one.number ?? one.version));
    this.transcript.anew(this.course.items);
    this.ticks();
  }

  /**
   * One more thing has happened.
   * @param {Happened} frame
   */
  add(frame) {
    if (frame.version <= this.course.count) return;
    this.course.add(frame, frame.number ?? frame.version);
    // What comes in a rush is shown at once.
    this.coming ??= setTimeout(() => {
      this.coming = undefined;
      if (this.following) this.go(this.course.count, { scroll: isNear(byId("now")) });
      else this.stands();
      this.ticks();
    }, 20);
  }

  /**
   * Look at the episode as it was after so many events.
   * @param {number} place
   * @param {{scroll?: boolean, glance?: boolean}} [how]  `glance`: in passing by
   */
  go(place, { scroll = true, glance = false } = {}) {
    const { course } = this;
    this.place = Math.min(Math.max(place, 0), course.count);
    this.following = this.place === course.count;
    if (glance) this.transcript.glance(course.endAt(this.place));
    else this.transcript.show(course.endAt(this.place));
    this.transcript.here(this.following ? null : course.marks[this.place - 1]);
    this.stands();
    if (scroll) byId("now").scrollIntoView({ block: "nearest" });
    this.address();
  }

  /** Show how the episode stood there. */
  stands() {
    const standing = this.course.standingAt(this.place);
    const said = this.course.items[this.course.endAt(this.place) - 1];
    const words = said ? `${said.who} ${said.verb} ${said.text}`.trim().slice(0, 140) : "";
    const number = this.data.knowsAll ? this.course.marks[this.place - 1] : undefined;
    this.scrubber.stands(this.place, this.course.count, standing, words, number);
    const nothing = document.getElementById("nothing");
    if (nothing) nothing.hidden = this.course.items.length > 0;
    showSeats(standing);
    showState(standing, this.following);
    showNow(standing, this.course, this.following);
    showFork(standing, this.data.base);
    byId("picture").hidden = !this.picture.show(this.told());
    for (const one of this.watchers) one(this);
  }

  /** What a stage piece is shown. @returns {Told} */
  told() {
    const { course } = this;
    const { turn, waiting, ended } = course.standingAt(this.place);
    const count = course.noticedAt(this.place);
    return {
      opening: this.scene?.opening,
      scene: this.scene,
      get notices() {
        return course.notices.slice(0, count);
      },
      all: course.notices,
      count,
      viewer: course.viewer,
      turn,
      waiting,
      ended,
    };
  }

  /** What a picture can ask of this page. @returns {Page} */
  forPicture() {
    const go = (/** @type {number} */ number) =>
      this.go(this.course.placeOfNotice(number), { scroll: false, glance: true });
    if (!this.data.knowsAll) return { go };
    return {
      go,
      thoughts: async (seat) => {
        const answer = await fetch(`${this.data.base}/thoughts/${seat + 1}`);
        if (!answer.ok) throw new Error(`what was thought cannot be loaded (${answer.status})`);
        return answer.json();
      },
      calls: (turn, seat) =>
        void showCalls(
          `${this.data.base}/calls/${turn}?seat=${seat + 1}`,
          `Model calls of ${this.course.name(seat)} in turn ${turn}`,
        ),
      scores: scoresShown,
    };
  }

  /** Keep the address what it is that is looked at. */
  address() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      const url = new URL(location.href);
      const mark = this.course.marks[this.place - 1];
      if (this.following || mark === undefined) url.searchParams.delete("at");
      else url.searchParams.set("at", String(mark));
      if (this.data.knowsAll && this.viewer !== "narrator") url.searchParams.set("as", this.viewer);
      else url.searchParams.delete("as");
      if (url.href !== location.href) history.replaceState(null, "", url);
    }, 200);
  }

  /**
   * Look through other eyes, at the same moment.
   * @param {string} viewer
   */
  async see(viewer) {
    if (viewer === this.viewer) return;
    const at = this.course.happened[this.place - 1]?.at ?? 0;
    const { following } = this;
    const told = await this.load(viewer);
    this.viewer = viewer;
    this.take(told);
    for (const link of all(document, ".eyes a")) {
      if (link.dataset.viewer === viewer) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    showOpening(told.scene);
    const passed = this.course.happened.filter((one) => one.at <= at).length;
    this.go(following ? this.course.count : passed, { scroll: false });
    document.dispatchEvent(new CustomEvent("stage:viewer", { detail: viewer }));
  }

  /**
   * Find words in the scene and in the whole transcript.
   * @param {string} asked
   */
  search(asked) {
    this.hits = matches(this.course.items, asked);
    if (has(byId("opening").textContent ?? "", asked)) this.hits.unshift(SCENE);
    this.hit = -1;
    this.transcript.query = asked.trim();
    this.transcript.redraw();
    this.ticks();
    if (this.hits.length) this.toHit(1);
  }

  /** @param {1|-1} way */
  toHit(way) {
    const { hits } = this;
    if (!hits.length) return;
    this.hit = (this.hit + way + hits.length) % hits.length;
    const place = hits[this.hit];
    for (const one of document.querySelectorAll(".found")) one.classList.remove("found");
    if (place === SCENE) {
      const scene = byId("opening");
      for (const one of scene.querySelectorAll("details")) one.open = true;
      scene.classList.add("found");
      scene.scrollIntoView({ block: "nearest" });
      return;
    }
    if (place >= this.course.endAt(this.place)) this.go(this.course.count, { scroll: false });
    if (place < this.transcript.from) this.transcript.show(this.transcript.to, Math.max(0, place - 20));
    const element = this.transcript.element(place);
    element?.classList.add("found");
    element?.scrollIntoView({ block: "center" });
  }

  /** Where what happened is on the rail. */
  ticks() {
    /** @type {{place: number, kind: string}[]} */
    const ticks = [];
    const { course } = this;
    const found = new Set(this.hits);
    let piece = 0;
    course.ends.forEach((end, at) => {
      /** @type {Set<string>} */
      const kinds = new Set();
      for (; piece < end; piece += 1) {
        const item = course.items[piece];
        if (item.kind === "turn") kinds.add("turn");
        if (item.failed) kinds.add("failed");
        if (item.kind === "note") kinds.add("seating");
        if (found.has(piece)) kinds.add("hit");
      }
      for (const kind of kinds) ticks.push({ place: at + 1, kind });
    });
    this.scrubber.count = course.count;
    this.scrubber.draw(ticks);
  }

  /**
   * Light up what a score rests on.
   * @param {number[]} evidence
   * @param {string[]} quotes
   */
  light(evidence, quotes) {
    this.transcript.lit = evidence.length || quotes.length ? { evidence, quotes } : null;
    const wanted = evidence.length ? evidence : this.quoted(quotes);
    this.picture.light({ evidence: wanted, quotes });
    const places = wanted.map((mark) => this.course.items.findIndex((item) => item.mark === mark));
    const last = Math.max(-1, ...places);
    if (last >= this.course.endAt(this.place)) this.go(this.course.count, { scroll: false });
    const first = Math.min(...places.filter((place) => place >= 0));
    if (first < this.transcript.from) this.transcript.show(this.transcript.to, Math.max(0, first - 10));
    this.transcript.redraw();
    if (Number.isFinite(first)) this.transcript.element(first)?.scrollIntoView({ block: "center" });
  }

  /** @param {string[]} quotes */
  quoted(quotes) {
    const at = quotes.flatMap((quote) => matches(this.course.items, quote).slice(0, 3));
    return at.map((place) => this.course.items[place].mark);
  }

  /** Bring what the address names into view. */
  target() {
    const name = /^#(event-\d+)$/.exec(location.hash)?.[1];
    for (const one of document.querySelectorAll(".targeted")) one.classList.remove("targeted");
    if (!name) return;
    if (!document.getElementById(name)) this.go(this.course.placeOf(Number(name.slice(6))));
    const element = document.getElementById(name);
    element?.classList.add("targeted");
    element?.scrollIntoView({ block: "center" });
  }
}

/** @param {Scene} scene */
function showOpening({ situation, relationships = [], notes = [], portraits }) {
  byId("opening").replaceChildren(
    ...(situation ? [h("p", { class: "situation" }, situation)] : []),
    ...relationships.map((one) => h("p", { class: "muted small" }, one)),
    ...notes.map(([heading, text]) => h("details", {}, h("summary", {}, heading), h("p", { class: "pre" }, text))),
  );
  byId("seats").replaceChildren(...portraits.map(seatCard));
}

/** @param {Portrait} portrait */
function seatCard(portrait) {
  const facts = [...(portrait.facts ?? []), ...(portrait.secret ? [["Secret", portrait.secret]] : [])];
  return h(
    "li",
    { class: `seat-${(portrait.seat % 8) + 1}`, "data-seat": portrait.seat },
    h("p", { class: "name" }, h("b", {}, portrait.name)),
    portrait.goal
      ? h("p", { class: "goal" }, h("span", { class: "muted" }, "Wants"), " ", portrait.goal)
      : null,
    facts.length
      ? h(
          "details",
          {},
          h("summary", { class: "small" }, "Who this is"),
          h(
            "dl",
            { class: "facts" },
            ...facts.flatMap(([what, value]) => [h("dt", {}, what), h("dd", {}, value)]),
          ),
        )
      : null,
  );
}

/** @param {Standing} standing */
function showSeats(standing) {
  for (const card of all(document, "#seats > li")) {
    const seat = Number(card.dataset.seat);
    const [name] = all(card, ".name");
    const asked = standing.waiting.includes(seat);
    const badge = name.querySelector(".asked-now");
    if (asked && !badge) name.append(h("span", { class: "badge info asked-now" }, "is asked"));
    if (!asked) badge?.remove();
    const seated = standing.seats.find((one) => one.seat === seat);
    let mind = card.querySelector(".mind");
    if (!seated) {
      mind?.remove();
      continue;
    }
    if (!mind) {
      mind = h("p", { class: "mind muted small" });
      name.after(mind);
    }
    const words = harmless(mindWords(seated));
    if (mind.textContent !== words) mind.textContent = words;
  }
}

/**
 * @param {Standing} standing
 * @param {string} base
 */
function showFork(standing, base) {
  const link = /** @type {HTMLAnchorElement|null} */ (document.getElementById("fork-link"));
  if (!link) return;
  byId("fork-here").hidden = Boolean(standing.ended);
  byId("fork-not").hidden = !standing.ended;
  link.href = `${base}/fork?at=${standing.mark ?? 0}`;
  link.textContent = `Fork after event ${standing.mark ?? 0}`;
}

/** @param {Seated} seated */
function mindWords(seated) {
  if (seated.participant) return `${seated.participant}, a person`;
  if (seated.kind === "model") return seated.mind;
  return `${seated.mind} (${seated.kind === "person" ? "free seat" : seated.kind})`;
}

/**
 * @param {Standing} standing
 * @param {boolean} now
 */
function showState(standing, now) {
  const [word, kind] = standing.ended
    ? ["ended", ""]
    : standing.paused
      ? ["paused", "warn"]
      : now
        ? ["playing", "info"]
        : ["earlier", "info"];
  const badge = byId("state").querySelector(".badge");
  if (badge && badge.textContent !== word) {
    badge.textContent = word;
    badge.className = `badge ${kind}`;
  }
}

/**
 * What is waited for.
 * @param {Standing} standing
 * @param {Course} course
 * @param {boolean} now
 */
function showNow(standing, course, now) {
  const asked = doing(standing.waiting.map((seat) => course.name(seat)), "asked");
  const parts = [];
  if (standing.proposed.length) {
    const lines = standing.proposed.map((one) => h("p", {}, one.line));
    parts.push(h("div", { class: "notice warn" }, h("p", {}, "Proposed, and waiting for you:"), ...lines));
  } else if (now && !standing.ended && asked) {
    parts.push(h("p", { class: "dots" }, asked));
  }
  byId("now").replaceChildren(...parts);
}

/** @param {HTMLElement} element */
function isNear(element) {
  return element.getBoundingClientRect().top < window.innerHeight + 120;
}

/** @param {Stage} stage */
function calls(stage) {
  const { turn } = stage.course.standingAt(stage.place);
  if (turn) void showCalls(`${stage.data.base}/calls/${turn}`, `Model calls of turn ${turn}`);
}

/** @param {Stage} stage */
function tools(stage) {
  const hits = h("span", { class: "hits", role: "status" });
  const input = h("input", { type: "search", placeholder: "Search", "aria-label": "Search scene and transcript" });
  const say = () => {
    hits.textContent = !input.value.trim()
      ? ""
      : stage.hits.length
        ? `${stage.hit + 1} of ${stage.hits.length}`
        : "nothing";
  };
  let waiting = 0;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      stage.search(input.value);
      say();
    }, 150);
  });
  const step = (/** @type {1|-1} */ way) => {
    stage.toHit(way);
    say();
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") {
      input.value = "";
      stage.search("");
      say();
      input.blur();
    }
  });
  const to = (/** @type {number} */ place) => stage.scrubber.to(place);
  const turn = (/** @type {1|-1} */ way) => to(stage.course.turnFrom(stage.scrubber.at, way));
  const open = listen([
    { key: "ArrowLeft", shown: "← →", does: "One event back, on", run: () => to(stage.scrubber.at - 1) },
    { key: "ArrowRight", shown: "", does: "", run: () => to(stage.scrubber.at + 1) },
    { key: "Shift+ArrowLeft", shown: "Shift ← →", does: "One turn back, on", run: () => turn(-1) },
    { key: "Shift+ArrowRight", shown: "", does: "", run: () => turn(1) },
    { key: "Home", shown: "Home End", does: "First event, last event", run: () => to(1) },
    { key: "End", shown: "", does: "", run: () => to(stage.course.count) },
    { key: "p", does: "Play, stop playing", run: () => stage.scrubber.toggle() },
    { key: "/", does: "Search", run: () => input.focus() },
    { key: "n", shown: "n N", does: "Next, previous of what was found", run: () => step(1) },
    { key: "N", shown: "", does: "", run: () => step(-1) },
    ...(stage.data.knowsAll
      ? [
          { key: "m", does: "As the narrator sees it", run: () => stage.see("narrator") },
          { key: "0", does: "As a spectator sees it", run: () => stage.see("spectator") },
          ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((seat) => ({
            key: String(seat),
            shown: seat === 1 ? "1 … 9" : "",
            does: "As a seat sees it",
            run: () => {
              if (document.querySelector(`.eyes [data-viewer="${seat}"]`)) void stage.see(String(seat));
            },
          })),
          { key: "c", does: "Model calls of this turn", run: () => calls(stage) },
          {
            key: "f",
            does: "Fork from here",
            run: () => {
              if (!byId("fork-here").hidden) byId("fork-link").click();
            },
          },
        ]
      : []),
  ]);
  const help = button("Keys", open, { class: "small quiet", title: "Keyboard (?)" });
  byId("tools").replaceChildren(input, hits, help);
  byId("tools").hidden = false;
}

const element = document.getElementById("stage-data");
if (element) {
  const stage = new Stage(JSON.parse(element.textContent ?? "{}"));
  tools(stage);
  panels(stage);
  guesses(stage);
  await stage.begin();
  // What has ended needs neither a socket nor forms.
  if (!stage.course.standingAt(stage.course.count).ended) (await import("./live.js")).live(stage);
}
