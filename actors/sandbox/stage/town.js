/** A town on a page: its map, its clock, who lives in it, and how they hang together. */

import { button, h, signButton } from "../../shared/elements.js";
import { initials } from "../../shared/words.js";
import { Camera } from "./camera.js";
import { EvidencePanel } from "./evidence.js";
import { listen, nearer } from "./gestures.js";
import { Hours } from "./hours.js";
import { TownMap } from "./map.js";
import { Painter } from "./paint.js";
import { PersonPanel } from "./person.js";
import { Player } from "./player.js";
import { Roster, Table, TalkList } from "./people.js";
import { Timeline } from "./timeline.js";

/** @import { Page, Told } from "../../../gateway/static/stage/picture.js" */
/** @import { Person } from "./paint.js" */
/** @import { Ground, Notice, TownMap as GivenMap, View } from "./views.js" */

/** Between two looks at what stands beside the map, while it plays. */
const BESIDE_MS = 250;
/** For how long somebody is drawn where they were seen. */
const SEEN_S = 1800;
/** Pixels a tile at which one looks at somebody. */
const NEAR_PX = 12;

export class Town {
  /**
   * @param {HTMLElement} element
   * @param {Told<View, Notice>} told
   * @param {View & {map: GivenMap}} opening
   * @param {Page} page
   */
  constructor(element, told, opening, page) {
    this.page = page;
    this.portraits = told.scene?.portraits ?? [];
    /** What the task is about, for who may know. */
    this.goals = opening.full_task?.goals;
    this.own = typeof told.viewer === "number" ? told.viewer : -1;
    this.ended = Boolean(told.ended);
    this.radius = opening.radius ?? 8;
    this.given = opening.map;
    this.map = new TownMap(opening.map);
    /** Where places are that one learns of, and when. @type {{at: number, ground: Ground[]}[]} */
    this.grounds = [];
    /** How many of them are on the map. */
    this.learnt = 0;
    this.hours = new Hours(opening.start, opening.step_s ?? 60);
    this.timeline = new Timeline(this.portraits.length, opening.tiles);
    this.camera = new Camera(this.map.width, this.map.height, this.map.part);
    this.time = 0;
    /** Notices at what the page looks at. */
    this.count = -1;
    this.chosen = -1;
    this.follows = false;
    /** Seats to which something points. @type {number[]} */
    this.marked = [];
    /** @type {number|undefined} */
    this.later = undefined;
    /** @type {number|undefined} */
    this.telling = undefined;
    /** Listens to what outlives the town, until it is destroyed. */
    this.life = new AbortController();
    this.goes = false;
    /** Who is on the map, and where. @type {Person[]} */
    this.people = [];
    /** What the map shows: the time, and how many notices were known. */
    this.drawn = "";
    /** One looks at another time than the page does. */
    this.away = false;

    this.canvas = h("canvas", { class: "town-canvas", tabindex: 0, role: "img", "aria-label": `Map of ${this.map.world}` });
    this.player = new Player(this.hours, (time, how) => this.stands(time, how), (way) => this.step(way));
    this.roster = new Roster(this);
    this.person = new PersonPanel(this);
    this.talks = new TalkList(this);
    this.evidence = new EvidencePanel(this);
    this.table = new Table(this);
    this.status = h("p", { class: "hidden-text", role: "status" });
    this.views = ["Map", "Table"].map((name) => button(name, () => this.view(name), { "aria-pressed": String(name === "Map") }));
    this.player.steps.append(h("span", { class: "town-views" }, ...this.views));
    const move = (/** @type {() => void} */ does) => () => {
      does();
      this.moved();
    };
    this.frame = h(
      "div",
      { class: "town-map" },
      this.canvas,
      h(
        "div",
        { class: "town-zoom" },
        signButton("+", "Nearer (+)", move(() => nearer(this.camera, 1))),
        signButton("−", "Further (−)", move(() => nearer(this.camera, -1))),
        signButton("All", "The whole town (0)", move(() => this.camera.fit())),
      ),
    );
    this.sides = /** @type {[string, HTMLElement][]} */ ([
      ["People", this.roster.element],
      ["Talks", this.talks.element],
      ["Scores", this.evidence.element],
    ]);
    this.tabs = this.sides.map(([name]) =>
      button(name, () => this.side(name), { class: "small quiet", "aria-pressed": String(name === "People") }),
    );
    for (const one of [this.person, this.talks, this.evidence]) one.element.hidden = true;
    this.beside = h(
      "div",
      { class: "town-side", tabindex: 0, role: "region", "aria-label": "People, talks and scores" },
      h("div", { class: "town-tabs" }, ...this.tabs),
      ...[this.roster, this.person, this.talks, this.evidence].map((one) => one.element),
    );
    const main = h("div", { class: "town-main" }, this.frame, this.table.element, this.player.element);
    const whole = h("div", { class: "town" }, main, this.beside, this.status);
    element.replaceChildren(whole);
    this.painter = new Painter(this.canvas, this.map, this.camera);
    this.watching = new ResizeObserver(() => this.resized());
    this.listening(whole);
    this.resized();
    if (this.own >= 0) {
      this.chosen = this.own;
      this.follows = true;
    }
  }

  /** @param {HTMLElement} whole */
  listening(whole) {
    listen(this.canvas, this.camera, {
      moved: () => {
        this.follow(false);
        this.moved();
      },
      pressed: (x, y) => this.choose(this.personAt(x, y)),
      over: (x, y) => {
        const seat = this.personAt(x, y);
        const doing = this.timeline.doing(seat, this.time);
        this.canvas.classList.toggle("town-over", seat >= 0);
        this.canvas.title = seat < 0 ? "" : `${this.name(seat)}${doing ? `: ${doing.text}` : ""}`;
      },
    });
    const keys = /** @type {Record<string, () => void>} */ ({
      " ": () => this.player.toggle(),
      ",": () => this.step(-1),
      ".": () => this.step(1),
      "[": () => this.player.faster(-1),
      "]": () => this.player.faster(1),
      t: () => this.toTalk(1),
      T: () => this.toTalk(-1),
      "+": () => nearer(this.camera, 1),
      "=": () => nearer(this.camera, 1),
      "-": () => nearer(this.camera, -1),
      0: () => this.camera.fit(),
      Escape: () => this.choose(-1),
    });
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      const typed = event.key === " " && event.target instanceof Element && event.target.matches("button, summary, select, a");
      if (event.ctrlKey || event.metaKey || event.altKey || typed || !keys[event.key]) return;
      keys[event.key]();
      event.preventDefault();
      event.stopPropagation();
      this.moved();
    };
    whole.addEventListener("keydown", pressed);
    const { signal } = this.life;
    // Where nothing has the focus they are the town's, too, but for 0, which the page has for itself.
    const unfocused = (/** @type {KeyboardEvent} */ event) => {
      if (event.target === document.body && event.key !== "0" && !document.querySelector("dialog[open]")) pressed(event);
    };
    document.addEventListener("keydown", unfocused, { signal });
    this.watching.observe(this.frame);
    const recolour = () => {
      this.painter.theme();
      this.draw();
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour, { signal });
  }

  // ---------------------------------------------------------------- what is told

  /** @param {Told<View, Notice>} told */
  update(told) {
    const all = told.all ?? told.notices;
    const count = told.count ?? all.length;
    const first = this.count < 0;
    if (this.timeline.taken < all.length) {
      for (const one of all.slice(this.timeline.taken)) {
        if (one.type === "perceived" && one.ground) this.grounds.push({ at: one.at, ground: one.ground });
      }
      this.timeline.take(all);
      const over = Boolean(told.ended) && !this.ended;
      this.ended = Boolean(told.ended);
      if (over) {
        this.person.thoughts.clear();
        this.person.fetch();
      }
      if (!this.ended) this.person.more();
      this.ticks();
    }
    const moved = count !== this.count;
    this.count = count;
    if (this.goes) return true;
    if (first) this.begins(all, count);
    else if (moved && (this.page.go || !this.away)) this.stands(this.timeOf(all[count - 1]), { settled: true, told: true });
    else this.show();
    return true;
  }

  /**
   * Where one looks first: where the page does; of a town whose days are over, at its first talk.
   * @param {Notice[]} all
   * @param {number} count
   */
  begins(all, count) {
    if (this.own >= 0) {
      this.person.choose(this.own);
      this.side("");
    }
    const { talks, end, moments } = this.timeline;
    const past = this.ended && this.page.go && count === all.length && this.own < 0;
    const waking = moments.find((one) => this.hours.ofDay(one.at) >= 8 * 3600)?.at ?? 0;
    const now = count === all.length ? end : this.timeOf(all[count - 1]);
    this.stands(past ? (talks[0]?.at ?? waking) : now, { settled: true, told: true });
    if (past) setTimeout(() => this.tell(), 0);
  }

  /** @param {Notice|undefined} notice */
  timeOf(notice) {
    return (notice && this.timeline.times.get(notice.number)) ?? 0;
  }

  /** @param {{evidence: number[], quotes: string[], key?: string}} score */
  light(score) {
    this.evidence.chosen(score);
  }

  destroy() {
    this.player.close();
    clearTimeout(this.later);
    clearTimeout(this.telling);
    this.watching.disconnect();
    this.life.abort();
  }

  // ---------------------------------------------------------------- which moment

  /**
   * Look at a time.
   * @param {number} time
   * @param {{settled: boolean, told?: boolean}} how  `told`: the page looks there already
   */
  stands(time, { settled, told = false }) {
    this.time = Math.min(Math.max(time, 0), this.timeline.end);
    this.away = !told && this.time < this.timeline.end;
    this.player.stands(this.time);
    // A slider that is let go says once more where it stands.
    if (this.drawn !== `${this.time}/${this.timeline.taken}`) this.draw();
    if (settled) {
      clearTimeout(this.later);
      this.later = undefined;
      this.besides();
      if (!told) this.tell();
      return;
    }
    this.later ??= setTimeout(() => {
      this.later = undefined;
      this.besides();
      this.tell();
    }, BESIDE_MS);
  }

  /** @param {number} time */
  seek(time) {
    this.stands(time, { settled: true });
  }

  /** Have the page look at the same moment. */
  tell() {
    const moment = this.timeline.moment(this.time);
    if (!this.page.go || !moment) return;
    this.goes = true;
    try {
      this.page.go(moment.number);
    } finally {
      this.goes = false;
    }
  }

  /** @param {1|-1} way */
  step(way) {
    const found = this.timeline.beside(this.time, way);
    if (found) this.seek(found.at);
  }

  /** @param {1|-1} way */
  toTalk(way) {
    const { talks } = this.timeline;
    const found = way > 0 ? talks.find((one) => one.at > this.time) : talks.findLast((one) => one.at < this.time);
    if (found) this.seek(found.at);
  }

  ticks() {
    const end = this.ended ? this.timeline.end : Math.max(this.timeline.end, 1);
    this.player.ticks(end, this.timeline.talks, this.evidence.times());
  }

  // ---------------------------------------------------------------- who is looked at

  /** @param {number} seat  -1: nobody */
  choose(seat) {
    if (seat === this.chosen && seat >= 0) return;
    this.chosen = seat;
    if (seat < 0) this.follows = false;
    this.side(seat < 0 ? "People" : "");
    this.person.choose(seat);
    this.show();
    if (seat >= 0 && this.beside.contains(document.activeElement)) {
      /** @type {HTMLElement|null} */ (this.person.element.querySelector(".town-name"))?.focus({ preventScroll: true });
    }
  }

  /** @param {boolean} on */
  follow(on) {
    if (this.follows === on) return;
    this.follows = on;
    if (on && this.camera.scale < NEAR_PX * this.painter.ratio) this.camera.zoom((NEAR_PX * this.painter.ratio) / this.camera.scale);
    for (const one of this.person.element.querySelectorAll("[aria-pressed]")) one.setAttribute("aria-pressed", String(on));
    this.draw();
  }

  /**
   * Show one of what stands beside the map; empty: whoever is chosen.
   * @param {string} name
   */
  side(name) {
    if (name === "" && this.chosen < 0) return;
    for (const [one, element] of this.sides) element.hidden = one !== name;
    this.person.element.hidden = name !== "";
    this.tabs.forEach((tab, at) => tab.setAttribute("aria-pressed", String(this.sides[at][0] === name)));
    this.besides();
  }

  /** @param {string} name */
  view(name) {
    this.views.forEach((one) => one.setAttribute("aria-pressed", String(one.textContent === name)));
    this.frame.hidden = name !== "Map";
    this.table.element.hidden = name !== "Table";
    this.besides();
  }

  /** @param {number} seat */
  name(seat) {
    return this.portraits[seat]?.name ?? `seat ${seat + 1}`;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  personAt(x, y) {
    let [best, distance] = [-1, this.painter.size + 6 * this.painter.ratio];
    for (const one of this.people) {
      const [px, py] = this.painter.spot(one);
      const far = Math.hypot(px - x, py - y);
      if (far < distance) [best, distance] = [one.seat, far];
    }
    return best;
  }

  // ---------------------------------------------------------------- drawing

  resized() {
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    const width = Math.round(this.frame.clientWidth * ratio);
    const height = Math.round(this.frame.clientHeight * ratio);
    if (!width || !height) return;
    [this.canvas.width, this.canvas.height] = [width, height];
    this.painter.ratio = ratio;
    this.camera.resize(width, height);
    if (this.own >= 0 && this.camera.fits) this.camera.zoom((NEAR_PX * ratio) / this.camera.scale);
    this.moved();
  }

  moved() {
    this.canvas.classList.toggle("town-held", !this.camera.fits);
    this.draw();
  }

  /** All of it at the time that is looked at. */
  show() {
    this.draw();
    this.besides();
  }

  draw() {
    if (!this.camera.width || this.count < 0) return;
    const { timeline, time, chosen, camera } = this;
    this.drawn = `${time}/${timeline.taken}`;
    this.learn();
    this.people = this.peopleAt(time);
    const one = this.people.find((person) => person.seat === chosen);
    if (one && this.follows) camera.look(one.x + 0.5, one.y + 0.5);
    const walk = chosen >= 0 && one && !one.guessed ? timeline.walk(chosen, time) : null;
    this.painter.draw({
      dark: this.hours.dark(time),
      people: this.people,
      talks: pairs(this.people, (seat) => timeline.talk(seat, time)?.seats),
      chosen,
      marked: this.marked,
      way: walk ? { ...walk, gone: Math.max(time - walk.at, 0) } : null,
      sight: one && !one.guessed ? { x: one.x, y: one.y, radius: this.radius } : null,
    });
    performance.mark("town-drawn");
  }

  /** Have the map hold what is known at the time that is looked at, and no more. */
  learn() {
    const after = this.grounds.findIndex((one) => one.at > this.time);
    const count = after < 0 ? this.grounds.length : after;
    if (count === this.learnt) return;
    if (count < this.learnt) {
      this.map = new TownMap(this.given);
      this.learnt = 0;
    }
    for (const { ground } of this.grounds.slice(this.learnt, count)) for (const one of ground) this.map.learn(one);
    this.learnt = count;
    this.painter.remap(this.map);
  }

  /**
   * @param {number} time
   * @returns {Person[]}
   */
  peopleAt(time) {
    const { timeline } = this;
    /** @type {Person[]} */
    const found = [];
    /** How many stand on a tile already. @type {Map<string, number>} */
    const there = new Map();
    this.portraits.forEach((_, seat) => {
      const seen = this.own >= 0 && seat !== this.own ? this.seen(seat, time) : null;
      const place = seen ?? timeline.place(seat, time);
      if (!place) return;
      const text = seen?.text ?? timeline.doing(seat, time)?.text ?? "";
      const key = `${Math.round(place.x)}/${Math.round(place.y)}`;
      const before = there.get(key) ?? 0;
      there.set(key, before + 1);
      // Whoever shares a tile stands beside its middle.
      const angle = before * 2.4;
      const off = before && !("walking" in place && place.walking) ? 0.55 : 0;
      found.push({
        seat,
        name: this.name(seat),
        initials: initials(this.name(seat)),
        x: place.x + off * Math.cos(angle),
        y: place.y + off * Math.sin(angle),
        emoji: seen ? "" : (timeline.doing(seat, time)?.emoji ?? ""),
        asleep: /sleep/i.test(text),
        talks: timeline.talk(seat, time) !== null,
        guessed: seen !== null,
      });
    });
    return found;
  }

  /**
   * Where somebody else was seen last, if that is not long ago.
   * @param {number} seat
   * @param {number} time
   */
  seen(seat, time) {
    const { timeline, hours } = this;
    const glimpses = timeline.glimpses[this.own] ?? [];
    for (let at = glimpses.length - 1; at >= 0; at -= 1) {
      const glimpse = glimpses[at];
      if (glimpse.at > time) continue;
      if ((time - glimpse.at) * hours.step > SEEN_S) break;
      const found = glimpse.seen.find((one) => one.seat === seat);
      const middle = found && this.map.middle(found.address);
      if (found && middle) return { x: middle[0] - 0.5, y: middle[1] - 0.5, text: found.text };
    }
    return null;
  }

  /** What stands beside the map, or in its place. */
  besides() {
    const { time } = this;
    if (this.count < 0) return;
    // What is hidden is brought up to date when it is shown.
    for (const one of [this.roster, this.person, this.talks, this.table]) if (!one.element.hidden) one.show(time);
    this.evidence.show();
    this.tabs[2].hidden = this.evidence.empty;
    clearTimeout(this.telling);
    if (!this.player.playing) this.telling = setTimeout(() => (this.status.textContent = this.saying()), 400);
  }

  /** The moment in a sentence, for who does not see it. */
  saying() {
    const doing = this.timeline.doing(this.chosen, this.time);
    const who = this.chosen >= 0 && doing ? ` ${this.name(this.chosen)}: ${doing.text}.` : "";
    return `${this.hours.full(this.time)}.${who}`;
  }
}

/**
 * @param {Person[]} people
 * @param {(seat: number) => [number, number]|undefined} talk
 * @returns {[number, number][]}
 */
function pairs(people, talk) {
  return people.flatMap((one) => {
    const seats = talk(one.seat);
    return seats && seats[0] === one.seat ? [seats] : [];
  });
}
