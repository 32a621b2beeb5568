/**
 * The stage piece of towns: a map that is looked at from above at any moment of the town's time, with
 * what everybody does, thinks and says there, and what their scores rest on; the same as a table; and
 * the form of somebody who lives there. docs/how-to/environments.md, "Its stage piece", says what is called
 * when.
 */

import { Town } from "./town.js";

/** @import { Page, Told } from "../../../gateway/static/stage/picture.js" */
/** @import { Notice, View } from "./views.js" */

export { form } from "./form.js";

/** The page gives it all its width. */
export const wide = true;

/**
 * @param {HTMLElement} element
 * @param {Told<View, Notice>} told
 * @param {Page} page
 */
export function mount(element, told, page) {
  const { opening } = told;
  return opening?.map ? new Town(element, told, { ...opening, map: opening.map }, page) : null;
}
