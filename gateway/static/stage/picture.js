/**
 * Stage pieces: what an environment brings to have its episodes shown its own way. An ES module in
 * the environment's folder (`stage/stage.js`), served at `/static/environments/<name>/stage.js`.
 * docs/environments.md, "A stage piece", teaches it. Each of its exports may be missing:
 *
 * - `render(element, told)`: the environment's picture of what one viewer has been told. Called
 *   whenever that changes, forwards or backwards; it draws `element` anew or mends what is there.
 *   `told` is a `Told`. `false`: there is nothing to be drawn.
 * - `form(element, posed, submit, context)`: a form for a question; the same arguments and the same
 *   handle as `plainForm` in `stage/form.js`, with a `Told` as context, and in it `formOf` of that
 *   module for controls of one's own; `null` for a question that it leaves to the plain one.
 *   `questionForm` in `stage/form.js` asks for it.
 */

/**
 * @typedef {object} Told
 * @property {any} opening  the environment's own view of the beginning, as `Scene.opening`
 * @property {any[]} notices  the environment's own structs, all that was noticed so far
 * @property {any} scene  `Scene`: situation, portraits, relationships
 * @property {string|number} viewer  `narrator`, `spectator`, or a seat from 0
 * @property {number} turn  the last turn opened
 * @property {number[]} waiting  the seats that are asked
 * @property {string} ended  the ending's name; empty: it goes on
 *
 * @typedef {object} Piece
 * @property {(element: HTMLElement, told: Told) => unknown} [render]
 * @property {(element: HTMLElement, posed: any, submit: (answer: any) => unknown, context: Told & import("./form.js").Options) => import("./form.js").Form|null} [form]
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

/**
 * Have a piece draw what was told; what it cannot draw is left out.
 * @param {Piece} piece
 * @param {HTMLElement} element
 * @param {Told} told
 * @returns {boolean}  whether there is a picture
 */
export function draw(piece, element, told) {
  if (!piece.render) return false;
  try {
    return piece.render(element, told) !== false;
  } catch (error) {
    console.warn("the environment's picture failed:", error);
    element.replaceChildren();
    return false;
  }
}
