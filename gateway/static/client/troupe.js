// An episode of Troupe, live: what a viewer may see of it, and what a person may do in it.
//
// Works in browsers and in Node (22; older ones are given a WebSocket) without any dependency:
//
//   import { Stage } from "/static/client/troupe.js";
//   const stage = new Stage("e3k9…", { token });
//   stage.addEventListener("change", () => show(stage.state));
//   stage.connect();
//   await stage.takeSeat();
//   await stage.act({ text: "Good morning." });

import { Gap, NOTHING, reduce } from "./reduce.js";

/** @import { ClientFrame, Direct, ServerFrame, Wish } from "./frames.js" */
/** @import { PageState } from "./reduce.js" */

/**
 * A frame that is to be named by a reply.
 * @typedef {Wish extends infer W ? W extends Wish ? Omit<W, "ref"> : never : never} Wished
 *
 * @typedef {object} Waiting  for a reply
 * @property {Wish} frame
 * @property {boolean} sent
 * @property {boolean} again  it is sent again after a lost connection
 * @property {(done: {before: boolean}) => void} done
 * @property {(error: NotDone) => void} failed
 */

/** Close codes after which connecting again would change nothing. */
const FINAL = new Set([4001, 4003, 4004, 4009, 4022]);
/** Close codes of a gateway that wants to be left alone for a while. */
const BUSY = new Set([4029]);
const FIRST_MS = 300;
const LONGEST_MS = 15_000;
const BUSY_MS = 10_000;
const TYPING_MS = 2_000;

/** Why something that was asked for is not done. */
export class NotDone extends Error {
  /**
   * @param {string} code for programs
   * @param {string} reason as a sentence
   */
  constructor(code, reason) {
    super(reason);
    this.name = "NotDone";
    this.code = code;
    this.reason = reason;
  }
}

/**
 * One episode as one viewer sees it, over however many connections it takes.
 *
 * Events: `change`, when `state` has; `frame`, with each frame as `detail`; `connection`, when
 * `connection` has changed.
 */
export class Stage extends EventTarget {
  /** @type {PageState} */
  state = NOTHING;
  /** @type {"idle"|"connecting"|"open"|"waiting"|"closed"} */
  connection = "idle";
  /** Why it is closed, as a sentence. */
  why = "";

  #options;
  /** @type {WebSocket|null} */
  #socket = null;
  #attempts = 0;
  #ref = 0;
  /** @type {Map<number, Waiting>} */
  #wishes = new Map();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #watch = undefined;
  #silenceMs = 0;
  #afterMs = 0;
  #typedAt = -TYPING_MS;
  /** Turns and questions. @type {Set<string>} */
  #answered = new Set();

  /**
   * @param {string} episode its id
   * @param {object} [options]
   * @param {string} [options.url] the socket's address; in a browser that of the page's own server
   * @param {string} [options.token] empty: the session's cookie
   * @param {string} [options.viewer] `narrator`, `spectator`, or a seat from 1; empty: as the token
   *   says
   * @param {typeof WebSocket} [options.WebSocket] where there is none in the language
   * @param {() => number} [options.random] from 0 to 1
   */
  constructor(episode, options = {}) {
    super();
    this.#options = {
      url: options.url ?? ownAddress(),
      token: options.token ?? "",
      viewer: options.viewer ?? "",
      WebSocket: options.WebSocket ?? globalThis.WebSocket,
      random: options.random ?? Math.random,
    };
    this.episode = episode;
    if (!this.#options.WebSocket) {
      throw new Error("there is no WebSocket here: give one as options.WebSocket");
    }
  }

  /** Connect, and again whenever the connection is lost, until `close`. */
  connect() {
    if (this.#socket || this.connection === "closed") return;
    clearTimeout(this.#timer);
    this.#stands("connecting");
    const socket = new this.#options.WebSocket(this.#options.url);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      const { token, viewer } = this.#options;
      const { version } = this.state;
      this.#write({ type: "Hello", token, viewer, episode: this.episode, version });
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#heard(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.#socket) this.#lost(event.code);
    });
    // Every error is followed by a close.
    socket.addEventListener("error", () => {});
    this.#expect(30_000);
  }

  /** Leave for good; what was asked for and is not known to be done fails. */
  close() {
    const socket = this.#socket;
    this.#end("it was closed");
    socket?.close();
  }

  /**
   * What the viewer's own seat is asked and was not answered from here, as soon as there is
   * something; null: the episode is over.
   *
   * @returns {Promise<PageState["asked"]>}
   * @throws {NotDone} when the connection is closed for good
   */
  async nextQuestion() {
    while (!this.state.ended && !(this.state.mine && this.#unanswered.length)) {
      if (this.connection === "closed") throw new NotDone("closed", this.why);
      await new Promise((go) => {
        this.addEventListener("change", go, { once: true });
        this.addEventListener("connection", go, { once: true });
      });
    }
    return this.state.ended ? null : this.state.asked;
  }

  /** Ids of questions that wait and were not answered from here. */
  get #unanswered() {
    const { asked } = this.state;
    const ids = asked?.questions.map((one) => one.id ?? 0) ?? [];
    return ids.filter((id) => !this.#answered.has(`${asked?.turn} ${id}`));
  }

  /**
   * Answer what the viewer's seat is asked. The same answer counts once, however often it is sent.
   *
   * @param {{answer?: unknown, text?: string, question?: number, turn?: number}} given `answer` by
   *   the question's schema, or `text` as a person types it; without `question` the first that waits
   * @returns {Promise<{before: boolean}>} `before`: it was answered so before
   * @throws {NotDone}
   */
  async act({ answer = null, text = "", question, turn }) {
    turn ??= this.state.asked?.turn ?? this.state.turn;
    question ??= this.#unanswered[0] ?? 0;
    const done = await this.#wish({ type: "Act", turn, question, answer, text });
    this.#answered.add(`${turn} ${question}`);
    return done;
  }

  /** Sit down. @param {number} [seat] from 0; the viewer's own @returns {Promise<{before: boolean}>} */
  takeSeat(seat) {
    return this.#wish({ type: "TakeMySeat", seat: seat ?? null });
  }

  /** Hand the seat back. @param {number} [seat] as above @returns {Promise<{before: boolean}>} */
  leaveSeat(seat) {
    return this.#wish({ type: "LeaveMySeat", seat: seat ?? null });
  }

  /**
   * Intervene, for researchers.
   *
   * @param {Direct["what"]} what
   * @param {Omit<Direct, "type"|"ref"|"what">} [given] `text`, `seats`, `seat`, `turn`, `question`, `answer`: see `Direct`
   * @returns {Promise<{before: boolean}>}
   */
  direct(what, given = {}) {
    const once = what === "step" || what === "narrate";
    return this.#wish({ type: "Direct", what, ...given }, !once);
  }

  /** Say that somebody writes; as often as you like. */
  typing() {
    const now = Date.now();
    if (now - this.#typedAt < TYPING_MS || this.connection !== "open") return;
    this.#typedAt = now;
    this.#write({ type: "Typing" });
  }

  /**
   * @param {Wished} frame
   * @param {boolean} [again]
   * @returns {Promise<{before: boolean}>}
   */
  #wish(frame, again = true) {
    return new Promise((done, failed) => {
      if (this.connection === "closed") {
        failed(new NotDone("closed", this.why));
        return;
      }
      const ref = ++this.#ref;
      const wish = { frame: /** @type {Wish} */ ({ ...frame, ref }), sent: false, again, done, failed };
      this.#wishes.set(ref, wish);
      if (this.connection === "open") this.#sendWish(wish);
    });
  }

  /** @param {Waiting} wish */
  #sendWish(wish) {
    wish.sent = true;
    this.#write(wish.frame);
  }

  /** @param {ClientFrame} frame */
  #write(frame) {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(frame));
  }

  /** @param {ServerFrame} frame */
  #heard(frame) {
    this.#expect(this.#silenceMs || 30_000);
    const before = this.state;
    try {
      this.state = reduce(before, frame);
    } catch (error) {
      if (!(error instanceof Gap)) throw error;
      this.#again();
      return;
    }
    this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
    switch (frame.type) {
      case "Welcome":
        this.#silenceMs = 3_000 * frame.heartbeat_s;
        this.#attempts = 0;
        this.#stands("open");
        this.#sendAll();
        break;
      case "Ping":
        this.#write({ type: "Pong" });
        break;
      case "Done":
        this.#settle(frame.ref)?.done({ before: frame.before ?? false });
        break;
      case "NotDone":
        if (frame.ref) this.#settle(frame.ref)?.failed(new NotDone(frame.code, frame.reason));
        else this.why = frame.reason;
        break;
      case "Leaving":
        this.#afterMs = 1_000 * (frame.after_s ?? 0);
        break;
    }
    if (this.state !== before) this.dispatchEvent(new CustomEvent("change"));
  }

  #sendAll() {
    for (const wish of [...this.#wishes.values()]) {
      if (!wish.sent || wish.again) this.#sendWish(wish);
      else {
        const why = "the connection was lost, so that nobody knows whether it was done";
        this.#settle(wish.frame.ref)?.failed(new NotDone("unknown", why));
      }
    }
  }

  /** @param {number} ref */
  #settle(ref) {
    const wish = this.#wishes.get(ref);
    this.#wishes.delete(ref);
    return wish;
  }

  /** Be content with so many milliseconds of silence. @param {number} ms */
  #expect(ms) {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#again(), ms);
  }

  #again() {
    const socket = this.#socket;
    this.#lost(1006);
    socket?.close();
  }

  /** @param {number} code */
  #lost(code) {
    clearTimeout(this.#watch);
    this.#socket = null;
    if (FINAL.has(code)) {
      this.#end(this.why || `the gateway closed the connection (${code})`);
      return;
    }
    const { random } = this.#options;
    const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#attempts);
    const wait = this.#afterMs || (BUSY.has(code) ? BUSY_MS : longest) * (0.5 + random() / 2);
    this.#afterMs = 0;
    this.#attempts += 1;
    this.#stands("waiting");
    this.#timer = setTimeout(() => this.connect(), wait);
  }

  /** @param {string} why */
  #end(why) {
    clearTimeout(this.#timer);
    clearTimeout(this.#watch);
    this.#socket = null;
    if (this.connection === "closed") return;
    this.why = why;
    for (const ref of [...this.#wishes.keys()]) {
      this.#settle(ref)?.failed(new NotDone("closed", why));
    }
    this.#stands("closed");
  }

  /** @param {Stage["connection"]} connection */
  #stands(connection) {
    if (this.connection === connection) return;
    this.connection = connection;
    this.dispatchEvent(new CustomEvent("connection", { detail: connection }));
  }
}

function ownAddress() {
  const { location } = globalThis;
  if (!location) return "ws://127.0.0.1:8700/ws";
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}
