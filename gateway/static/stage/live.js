/**
 * What makes the page live: the socket, a researcher's controls, and a seat that they sit in.
 */

import { NOTHING } from "../client/reduce.js";
import { Stage as Episode } from "../client/troupe.js";
import { all, button, byId, h } from "../shared/elements.js";
import { toast, toastError } from "../shared/toasts.js";
import { doing, minutesOf, missedWords, sentence } from "../shared/words.js";
import { questionForm } from "./form.js";

/** @import { Direct, PosedQuestion, ServerFrame } from "../client/frames.js" */
/** @import { Form } from "./form.js" */
/** @import { Standing } from "./items.js" */
/** @import { Stage } from "./stage.js" */

/**
 * Follow an episode that has not ended, and let researchers intervene.
 * @param {Stage} stage
 */
export function live(stage) {
  const line = h("p", { class: "line small muted", role: "status" });
  byId("now").after(line);
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
 * @param {Stage} stage
 * @param {HTMLElement} line
 */
function follow(stage, line) {
  const episode = new Episode(stage.data.episode, { viewer: stage.data.knowsAll ? stage.viewer : "" });
  // What the page has been told already is not told again.
  episode.state = { ...NOTHING, version: stage.course.count, scene: stage.scene };
  const say = () => {
    const typing = doing(episode.state.typing.map((seat) => stage.course.name(seat)), "writing…");
    line.textContent =
      episode.connection === "waiting"
        ? "The connection is lost; trying again."
        : episode.connection === "closed"
          ? episode.why
          : episode.state.waits
            ? sentence(episode.state.waits)
            : typing;
  };
  episode.addEventListener("frame", (event) => {
    const frame = /** @type {CustomEvent<ServerFrame>} */ (event).detail;
    if (frame.type === "Happened") stage.add(frame);
    else if (frame.type === "Welcome" || frame.type === "Happenings") frame.happened?.forEach((one) => stage.add(one));
  });
  episode.addEventListener("change", say);
  episode.addEventListener("connection", say);
  episode.connect();
  return episode;
}

/** What a researcher can do with an episode that goes on. */
class Controls {
  /**
   * @param {Stage} stage
   * @param {() => Episode|null} client
   */
  constructor(stage, client) {
    this.stage = stage;
    this.client = client;
    /** @type {Sitting|null} */
    this.sitting = null;
    const directing = (/** @type {string} */ label, /** @type {Direct["what"]} */ what, kind = "") =>
      button(label, () => this.direct(what), { class: kind, "data-what": what });
    this.buttons = {
      pause: directing("Pause", "pause"),
      step: directing("Step", "step"),
      go_on: directing("Go on", "go_on", "primary"),
      stop: directing("Stop", "stop", "danger"),
    };
    this.narration = this.narrator();
    this.box = byId("controls");
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
    for (const card of all(document, "#seats > li")) this.seat(card, now);
    if (now.ended) this.sitting?.end();
    this.proposals(now);
  }

  /**
   * @param {Direct["what"]} what
   * @param {Omit<Direct, "type"|"ref"|"what">} [given]
   * @returns {Promise<boolean>}  whether it is done
   */
  async direct(what, given = {}) {
    if (what === "stop" && !window.confirm("Stop this episode for good? It can be forked, not gone on with.")) {
      return false;
    }
    try {
      const client = this.client();
      if (!client) throw new Error("there is no connection to the episode");
      await client.direct(what, given);
      return true;
    } catch (error) {
      toastError(error);
      return false;
    }
  }

  narrator() {
    const text = h("textarea", { id: "narration", maxlength: 4000 });
    const { names } = this.stage.course;
    const boxes = names.map((_, seat) => h("input", { type: "checkbox", value: seat, id: `hears-${seat}` }));
    const choices = boxes.map((box, seat) => h("div", { class: "choice" }, box, h("label", { for: box.id }, names[seat])));
    const form = h(
      "form",
      {},
      h("div", { class: "field" }, h("label", { for: "narration" }, "What happens"), text),
      boxes.length > 1
        ? h("details", {}, h("summary", { class: "small" }, "Only some notice it"), ...choices)
        : null,
      h("p", {}, h("button", { class: "small" }, "Narrate")),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const seats = boxes.filter((one) => one.checked).map((one) => Number(one.value));
      const done = text.value.trim() && (await this.direct("narrate", { text: text.value.trim(), seats }));
      if (done) text.value = "";
    });
    return h("details", {}, h("summary", { class: "small" }, "Narrate something"), form);
  }

  /**
   * What can be done with a seat.
   * @param {HTMLElement} card
   * @param {Standing} now
   */
  seat(card, now) {
    const seat = Number(card.dataset.seat);
    const [acts] = all(card, ".acts");
    const seated = now.seats.find((one) => one.seat === seat);
    const asked = now.waiting.includes(seat) || (seated?.waiting ?? false);
    const proposed = now.proposed.some((one) => one.seat === seat);
    const state = `${now.ended}/${seated?.participant}/${asked}/${proposed}/${this.sitting?.seat}`;
    if (acts?.dataset.state === state) return;
    acts?.remove();
    if (now.ended) return;
    const sits = this.sitting?.seat === seat;
    const own = Boolean(seated?.participant) && seated?.participant === this.stage.data.name;
    const small = (/** @type {string} */ label, /** @type {() => void} */ does) => button(label, does, { class: "small quiet" });
    const made = h(
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
    card.append(made);
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
      toastError(error);
    }
  }

  /**
   * Answer in the place of a seat's mind.
   * @param {number} seat
   */
  async edit(seat) {
    const name = this.stage.course.name(seat);
    const answer = await fetch(`${this.stage.data.base}/asked/${seat + 1}`);
    /** @type {{turn: number, questions?: PosedQuestion[]}} */
    const asked = answer.ok ? await answer.json() : { turn: 0 };
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

  /** @param {Standing} now */
  proposals(now) {
    const box = byId("now").querySelector(".notice");
    if (!box || !now.paused || box.querySelector("button")) return;
    box.append(h("p", {}, button("Take it", () => this.direct("step"))));
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
   * @param {Stage} stage
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
    /** @type {Form|null} */
    this.form = null;
    this.shown = "";
    this.sat = false;
    /** @type {number|undefined} */
    this.clock = undefined;
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
      toastError(error);
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
    const key = asked ? `${asked.turn}/${asked.questions[0].id ?? 0}` : "none";
    if (key === this.shown) return;
    this.shown = key;
    this.time();
    if (!asked) {
      this.form = null;
      this.place.replaceChildren(h("p", { class: "muted dots" }, "It is somebody else's turn"));
      return;
    }
    const [posed] = asked.questions;
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
    const left = until ? `${minutesOf(seconds)} left` : "";
    this.left.textContent = [missedWords(missed), left].filter(Boolean).join(" ");
  }

  async leave() {
    try {
      if (this.sat) await this.client.leaveSeat();
    } catch (error) {
      toastError(error);
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
  const panel = byId("sitting");
  panel.className = `sitting seat-${(seat % 8) + 1}`;
  panel.replaceChildren(
    h(
      "div",
      { class: "row spread" },
      h("h2", {}, heading),
      button(label, away),
    ),
    ...(note ? [h("p", { class: "muted small" }, note)] : []),
    content,
  );
  panel.hidden = false;
  return panel;
}

function closePanel() {
  const panel = byId("sitting");
  panel.hidden = true;
  panel.replaceChildren();
}
