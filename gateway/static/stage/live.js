/**
 * What makes the page live: the socket, a researcher's controls, and a seat that they sit in.
 */

import { NOTHING } from "../client/reduce.js";
import { Stage as Episode } from "../client/troupe.js";
import { h } from "../shared/elements.js";
import { missedWords } from "../shared/missed.js";
import { toast } from "../shared/toasts.js";
import { questionForm } from "./form.js";

const by = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Follow an episode that has not ended, and let researchers intervene.
 * @param {any} stage  the page's `Stage`
 */
export function live(stage) {
  const line = h("p", { class: "line small muted", role: "status" });
  by("now").after(line);
  /** @type {Episode|null} */
  let client = null;
  const connect = () => {
    client?.close();
    client = null;
    if (stage.course.standingAt(stage.course.count).ended) return;
    client = follow(stage, line);
  };
  connect();
  document.addEventListener("stage:viewer", connect);
  if (!stage.data.knowsAll) return;
  const controls = new Controls(stage, () => client);
  stage.watchers.push(() => controls.show());
  controls.show();
}

/**
 * @param {any} stage
 * @param {HTMLElement} line
 */
function follow(stage, line) {
  const episode = new Episode(stage.data.episode, { viewer: stage.data.knowsAll ? stage.viewer : "" });
  // What the page has been told already is not told again.
  episode.state = { ...NOTHING, version: stage.course.count, scene: stage.scene };
  const say = () => {
    const typing = episode.state.typing.map((seat) => stage.course.name(seat));
    line.textContent =
      episode.connection === "waiting"
        ? "The connection is lost; trying again."
        : episode.connection === "closed"
          ? episode.why
          : episode.state.waits
            ? sentence(episode.state.waits)
            : typing.length
              ? `${typing.join(" and ")} ${typing.length > 1 ? "are" : "is"} writing…`
              : "";
  };
  episode.addEventListener("frame", (event) => {
    const frame = /** @type {CustomEvent} */ (event).detail;
    if (frame.type === "Happened") stage.add(frame);
    for (const one of frame.happened ?? []) stage.add(one);
  });
  episode.addEventListener("change", say);
  episode.addEventListener("connection", say);
  episode.connect();
  return episode;
}

/** What a researcher can do with an episode that goes on. */
class Controls {
  /**
   * @param {any} stage
   * @param {() => Episode|null} client
   */
  constructor(stage, client) {
    this.stage = stage;
    this.client = client;
    /** @type {Sitting|null} */
    this.sitting = null;
    const button = (/** @type {string} */ label, /** @type {string} */ what, kind = "") =>
      h("button", { type: "button", class: kind, "data-what": what, onclick: () => this.direct(what) }, label);
    this.buttons = {
      pause: button("Pause", "pause"),
      step: button("Step", "step"),
      go_on: button("Go on", "go_on", "primary"),
      stop: button("Stop", "stop", "danger"),
    };
    this.narration = this.narrator();
    this.box = by("controls");
    this.box.replaceChildren(
      h("h2", {}, "Direct it"),
      h("div", { class: "controls-row" }, ...Object.values(this.buttons)),
      this.narration,
    );
  }

  /** Offer what can be done now. */
  show() {
    const { course } = this.stage;
    const now = course.standingAt(course.count);
    this.box.hidden = Boolean(now.ended);
    this.buttons.pause.hidden = now.paused;
    this.buttons.step.hidden = !now.paused;
    this.buttons.go_on.hidden = !now.paused;
    for (const card of document.querySelectorAll("#seats > li")) this.seat(card, now);
    if (now.ended) this.sitting?.end();
    this.proposals(now);
  }

  /**
   * @param {string} what
   * @param {object} [given]
   */
  async direct(what, given = {}) {
    if (what === "stop" && !window.confirm("Stop this episode for good? It can be forked, not gone on with.")) {
      return false;
    }
    try {
      const client = this.client();
      if (!client) throw new Error("there is no connection to the episode");
      await client.direct(/** @type {any} */ (what), given);
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  }

  narrator() {
    const text = /** @type {HTMLTextAreaElement} */ (h("textarea", { id: "narration", maxlength: 4000 }));
    const boxes = this.stage.course.names.map((/** @type {string} */ name, /** @type {number} */ seat) => {
      const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", value: seat, id: `hears-${seat}` }));
      return { box, element: h("div", { class: "choice" }, box, h("label", { for: `hears-${seat}` }, name)) };
    });
    const form = h(
      "form",
      {},
      h("div", { class: "field" }, h("label", { for: "narration" }, "What happens"), text),
      boxes.length > 1
        ? h(
            "details",
            {},
            h("summary", { class: "small" }, "Only some notice it"),
            ...boxes.map((/** @type {any} */ one) => one.element),
          )
        : null,
      h("p", {}, h("button", { class: "small" }, "Narrate")),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const seats = boxes.filter((/** @type {any} */ one) => one.box.checked).map((/** @type {any} */ one) => Number(one.box.value));
      const done = text.value.trim() && (await this.direct("narrate", { text: text.value.trim(), seats }));
      if (done) text.value = "";
    });
    return h("details", {}, h("summary", { class: "small" }, "Narrate something"), form);
  }

  /**
   * What can be done with a seat.
   * @param {Element} card
   * @param {any} now
   */
  seat(card, now) {
    const seat = Number(/** @type {HTMLElement} */ (card).dataset.seat);
    let acts = card.querySelector(".acts");
    const seated = now.seats.find((/** @type {any} */ one) => one.seat === seat);
    const asked = now.waiting.includes(seat) || (seated?.waiting ?? false);
    const proposed = now.proposed.some((/** @type {any} */ one) => one.seat === seat);
    const state = `${now.ended}/${seated?.participant}/${asked}/${proposed}/${this.sitting?.seat}`;
    if (acts && /** @type {HTMLElement} */ (acts).dataset.state === state) return;
    acts?.remove();
    if (now.ended) return;
    const sits = this.sitting?.seat === seat;
    const own = seated?.participant && seated.participant === this.stage.data.name;
    const small = (/** @type {string} */ label, /** @type {() => void} */ does) =>
      h("button", { type: "button", class: "small quiet", onclick: does }, label);
    acts = h(
      "div",
      { class: "acts", "data-state": state },
      sits
        ? small("Hand it back", () => void this.sitting?.leave())
        : small(taking(seated?.participant, own), () => void this.take(seat)),
      seated?.participant && !sits
        ? small(own ? "Hand it back" : "Have the person go", () => void this.release(seat))
        : null,
      asked && !sits ? small(proposed ? "Edit the proposal" : "Answer in its place", () => void this.edit(seat)) : null,
    );
    card.append(acts);
  }

  /** @param {number} seat */
  async take(seat) {
    await this.sitting?.leave();
    this.sitting = new Sitting(this.stage, seat, () => {
      this.sitting = null;
      this.show();
    });
    await this.sitting.begin();
    this.show();
  }

  /** @param {number} seat */
  async release(seat) {
    try {
      await this.client()?.leaveSeat(seat);
    } catch (error) {
      complain(error);
    }
  }

  /**
   * Answer in the place of a seat's mind.
   * @param {number} seat
   */
  async edit(seat) {
    const name = this.stage.course.name(seat);
    const answer = await fetch(`${this.stage.data.base}/asked/${seat + 1}`);
    const asked = answer.ok ? await answer.json() : { questions: [] };
    const [posed] = asked.questions ?? [];
    if (!posed) {
      toast(`${name} is asked nothing now`);
      return;
    }
    const place = h("div", {});
    const panel = openPanel(seat, `In the place of ${name}`, "It is recorded as yours.", place, "Cancel", () => closePanel());
    const form = questionForm(
      this.stage.picture.piece,
      place,
      posed,
      async (given) => {
        const client = this.client();
        if (!client) throw new Error("there is no connection to the episode");
        await client.direct("edit", { seat, turn: asked.turn, question: posed.id ?? 0, ...given });
        closePanel();
      },
      { ...this.stage.told(), viewer: seat },
    );
    panel.scrollIntoView({ block: "nearest" });
    form.focus();
  }

  /** @param {any} now */
  proposals(now) {
    const box = by("now").querySelector(".notice");
    if (!box || !now.paused || box.querySelector("button")) return;
    const take = h("button", { type: "button", class: "small", onclick: () => this.direct("step") }, "Take it");
    box.append(h("p", {}, take));
  }
}

/**
 * What sitting down is called.
 * @param {string|undefined} participant  who sits there
 * @param {boolean} own  that is whoever looks: from another page, or before this one was loaded again
 */
function taking(participant, own) {
  if (own) return "Go on in this seat";
  return participant ? "Take over from the person" : "Take this seat";
}

/** A seat that the researcher sits in, over a connection with that seat's eyes. */
class Sitting {
  /**
   * @param {any} stage
   * @param {number} seat
   * @param {() => void} over
   */
  constructor(stage, seat, over) {
    this.stage = stage;
    this.seat = seat;
    this.over = over;
    this.client = new Episode(stage.data.episode, { viewer: String(seat + 1) });
    this.place = h("div", {});
    this.left = h("p", { class: "muted small" });
    /** @type {import("./form.js").Form|null} */
    this.form = null;
    this.shown = "";
    this.sat = false;
  }

  async begin() {
    const name = this.stage.course.name(this.seat);
    openPanel(this.seat, `You sit in ${name}'s seat`, "", h("div", {}, this.left, this.place), "Hand it back", () =>
      void this.leave(),
    );
    this.client.addEventListener("change", () => this.show());
    this.client.connect();
    this.clock = setInterval(() => this.time(), 1000);
    try {
      await this.client.takeSeat();
      this.sat = true;
      this.show();
    } catch (error) {
      complain(error);
      this.end();
    }
  }

  show() {
    if (!this.sat) return;
    const { asked, mine, ended } = this.client.state;
    if (ended || (!mine && this.shown)) {
      this.end();
      return;
    }
    if (!mine) return;
    const posed = asked?.questions[0];
    const key = posed ? `${asked.turn}/${posed.id ?? 0}` : "none";
    if (key === this.shown) return;
    this.shown = key;
    this.time();
    if (!posed) {
      this.form = null;
      this.place.replaceChildren(h("p", { class: "muted dots" }, "It is somebody else's turn"));
      return;
    }
    this.form = questionForm(
      this.stage.picture.piece,
      this.place,
      posed,
      (given) => this.client.act({ turn: asked.turn, question: posed.id ?? 0, ...given }),
      {
        opening: this.client.state.scene?.opening,
        scene: this.client.state.scene,
        notices: this.client.state.happened.flatMap((one) => one.notices ?? []),
        viewer: this.seat,
        turn: asked.turn,
        waiting: this.client.state.waiting,
        ended: "",
        typing: () => this.client.typing(),
      },
    );
    this.form.focus();
  }

  time() {
    const { asked, missed } = this.client.state;
    const until = asked?.until;
    const seconds = until ? Math.max(0, Math.round((until / 1000 - Date.now()) / 1000)) : 0;
    const left = until ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left` : "";
    this.left.textContent = [missedWords(missed), left].filter(Boolean).join(" ");
  }

  async leave() {
    try {
      if (this.sat) await this.client.leaveSeat();
    } catch (error) {
      complain(error);
    }
    this.end();
  }

  end() {
    clearInterval(this.clock);
    this.client.close();
    closePanel();
    this.over();
  }
}

/**
 * @param {number} seat
 * @param {string} heading
 * @param {string} note
 * @param {HTMLElement} content
 * @param {string} label
 * @param {() => void} away
 */
function openPanel(seat, heading, note, content, label, away) {
  const panel = by("sitting");
  panel.className = `sitting seat-${(seat % 8) + 1}`;
  panel.replaceChildren(
    h(
      "div",
      { class: "row spread" },
      h("h2", {}, heading),
      h("button", { type: "button", class: "small", onclick: away }, label),
    ),
    ...(note ? [h("p", { class: "muted small" }, note)] : []),
    content,
  );
  panel.hidden = false;
  return panel;
}

function closePanel() {
  const panel = by("sitting");
  panel.hidden = true;
  panel.replaceChildren();
}

/** @param {unknown} error */
function complain(error) {
  toast(sentence(error instanceof Error ? error.message : String(error)), "bad");
}

/** @param {string} text */
function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}
