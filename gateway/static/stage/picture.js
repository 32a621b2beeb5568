/**
 * Stage pieces: what an environment brings to have its episodes shown its own way. An ES module in
 * the environment's folder (`stage/stage.js`), served at `/static/environments/<name>/stage.js`.
 * docs/how-to/environments.md, "Its stage piece", teaches it. Each of its exports may be missing:
 *
 * - `render(element, told)`: the environment's picture of what one viewer has been told. Called
 *   whenever that changes, forwards or backwards; it draws `element` anew or mends what is there.
 *   `told` is a `Told`. `false`: there is nothing to be drawn.
 * - `mount(element, told, page)`, instead of `render`, for a picture with a life of its own: a
 *   canvas, a clock. Called once for a viewer; gives a `Mounted` back, whose `update` is called from
 *   then on, or `null` where there is nothing to be drawn. `page` is a `Page`.
 * - `wide`: `true` for a picture that takes the width of the page.
 * - `form(element, posed, submit, context)`: a form for a question; the same arguments and the same
 *   handle as `plainForm` in `stage/form.js`, with a `Told` as context, and in it `formOf` of that
 *   module for controls of one's own; `null` for a question that it leaves to the plain one.
 *   `questionForm` in `stage/form.js` asks for it.
 */

/** @import { Answer, PosedQuestion, Scene } from "../client/frames.js" */
/** @import { Form, FormContext } from "./form.js" */

/**
 * @template [Setup=unknown]
 * @template [Notice=unknown]
 * @typedef {object} Told
 * @property {Setup} [opening]  the environment's own view of the beginning, as `Scene.opening`
 * @property {Notice[]} notices  the environment's own structs, all that was noticed up to the moment
 *   that is looked at
 * @property {Notice[]} [all]  the same beyond that moment, as far as it was told; it only grows
 * @property {number} [count]  how many of `all` are in `notices`
 * @property {Scene<Setup>|null} [scene]
 * @property {string|number} viewer  `narrator`, `spectator`, or a seat from 0
 * @property {number} turn  the last turn opened
 * @property {number[]} waiting  the seats that are asked
 * @property {string} ended  the ending's name; empty: it goes on
 */

/**
 * @typedef {object} Page  what a mounted picture can ask of its page; each may be missing
 * @property {(number: number) => void} [go]  look at the moment of a notice with this `number`
 * @property {(seat: number) => Promise<Thinking[]>} [thoughts]  what a seat's mind concluded,
 *   oldest first
 * @property {(turn: number, seat: number) => void} [calls]  show the model calls of a turn
 * @property {() => Evidence[]} [scores]  the scores that rest on something, of the judge shown
 *
 * @typedef {object} Thinking
 * @property {number} turn
 * @property {number} at  seconds since the episode's own time began
 * @property {unknown[]} thoughts  as events/thoughts.py has them, by `type`
 * @property {unknown} action  that it came to
 *
 * @typedef {object} Evidence
 * @property {string} key
 * @property {string} dimension  as it is shown
 * @property {string} who
 * @property {string} value  as it is shown
 * @property {string} reason
 * @property {number[]} evidence  the numbers of the events that it rests on
 * @property {string[]} quotes
 *
 * @typedef {object} Mounted
 * @property {(told: Told) => unknown} update  another moment is looked at, or there is more; `false`:
 *   there is nothing to be drawn
 * @property {(score: {evidence: number[], quotes: string[], key?: string}) => void} [light]  what a
 *   score rests on was chosen; nothing in it: no longer
 * @property {() => void} [destroy]  stop clocks, let go of listeners
 *
 * @typedef {object} Piece
 * @property {boolean} [wide]
 * @property {(element: HTMLElement, told: Told) => unknown} [render]
 * @property {(element: HTMLElement, told: Told, page: Page) => Mounted|null} [mount]
 * @property {(element: HTMLElement, posed: PosedQuestion, submit: (answer: Answer) => unknown, context: FormContext) => Form|null} [form]
 */

/**
 * An environment's stage piece. One that cannot be loaded is none: the plain one serves.
 * @param {string} url  empty: it has none
 * @returns {Promise<Piece>}
 */
export async function pieceAt(url) {
  if (!url) return {};
  try {
    return await import(url);
  } catch (error) {
    console.warn("the environment's stage piece cannot be loaded:", error);
    return {};
  }
}

/** A picture on a page, whichever way its piece draws it. What it cannot draw is left out. */
export class Picture {
  /**
   * @param {HTMLElement} element  what it is drawn in
   * @param {Page} page
   */
  constructor(element, page) {
    this.element = element;
    this.page = page;
    /** @type {Piece} */
    this.piece = {};
    /** @type {Mounted|null} */
    this.mounted = null;
    /** What is mounted was mounted for this. @type {unknown} */
    this.opening = undefined;
  }

  /**
   * Draw what was told.
   * @param {Told} told
   * @returns {boolean}  whether there is a picture
   */
  show(told) {
    const { piece, element } = this;
    try {
      if (!piece.mount) return piece.render ? piece.render(element, told) !== false : false;
      if (told.opening !== this.opening) {
        this.end();
        this.opening = told.opening;
        this.mounted = piece.mount(element, told, this.page);
      }
      return this.mounted ? this.mounted.update(told) !== false : false;
    } catch (error) {
      console.warn("the environment's picture failed:", error);
      this.end();
      element.replaceChildren();
      return false;
    }
  }

  /**
   * What a score rests on was chosen.
   * @param {{evidence: number[], quotes: string[], key?: string}} score
   */
  light(score) {
    this.mounted?.light?.(score);
  }

  /** Let go of what is mounted. */
  end() {
    this.mounted?.destroy?.();
    this.mounted = null;
  }
}
