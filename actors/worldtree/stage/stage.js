/**
 * The stage piece of world trees: the way through the tree so far, with what else was voted for at
 * each fork of it; and options as cards. docs/how-to/environments.md, "A stage piece", says what is called
 * when.
 */

import { h, svg } from "../../shared/elements.js";
import { counted } from "../../shared/words.js";

/** @import { Answer, PosedQuestion } from "../../../gateway/static/client/frames.js" */
/** @import { FormContext } from "../../../gateway/static/stage/form.js" */
/** @import { Told } from "../../../gateway/static/stage/picture.js" */
/** @import { Choose, Notice, View } from "./views.js" */

const WIDTH = 340;
const STEP = 64;
const TRUNK = 26;
/** Steps that are drawn; what came before is told as a number. */
const MOST_STEPS = 9;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Draw the way.
 * @param {HTMLElement} element
 * @param {Told<View, Notice>} told
 */
export function render(element, told) {
  if (!told.opening?.protagonist || "candidates" in told.opening) return false;
  const steps = stepsOf(told.notices);
  const open = told.waiting.length > 0 && !told.ended;
  if (!steps.length && !open) {
    element.replaceChildren(h("p", { class: "muted small" }, "Nothing has been chosen yet."));
    return true;
  }
  const shown = steps.slice(-MOST_STEPS);
  const hidden = steps.length - shown.length;
  const height = 28 + (shown.length + (open && !pending(shown) ? 1 : 0)) * STEP;
  const parts = [];
  shown.forEach((step, at) => parts.push(...drawn(step, at, hidden + at + 1)));
  const last = shown.length - 1;
  const end = 18 + (last + 1) * STEP;
  if (open && !pending(shown)) parts.push(node(end, "open", hidden + last + 2));
  else if (shown.length && !pending(shown)) parts.push(node(end, told.ended ? "over" : "open", 0));
  const label = `${counted(steps.length, "step")} through the tree so far`;
  element.replaceChildren(
    ...(hidden ? [h("p", { class: "muted small" }, `${hidden} steps before`)] : []),
    svg(
      "svg",
      { class: "worldtree-picture", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label },
      ...parts,
    ),
  );
  return true;
}

/**
 * Options as cards; a line of one's own as a text.
 * @param {HTMLElement} element
 * @param {PosedQuestion<Partial<Choose>>} posed
 * @param {(answer: Answer) => unknown} submit
 * @param {FormContext} context
 */
export function form(element, posed, submit, context) {
  const options = posed.question?.options;
  if (!Array.isArray(options) || !options.length) return null;
  const group = `option-${Math.random().toString(36).slice(2)}`;
  const radios = options.map(() => h("input", { type: "radio", name: group }));
  const cards = options.map((option, at) =>
    h("label", { class: "ask-card worldtree-option" }, radios[at], h("b", {}, LETTERS[at]), h("span", {}, option.text)),
  );
  const chosen = () => radios.findIndex((one) => one.checked);
  return context.formOf(element, {
    lead: posed.question.told || (posed.text ?? "").split("\n")[0],
    controls: [h("fieldset", { class: "ask-cards" }, h("legend", { class: "hidden-text" }, "Options"), ...cards)],
    options: context,
    submit,
    read() {
      if (chosen() < 0) return { fault: "Choose one of them.", at: radios[0] };
      return { answer: { explanation: "", choice: LETTERS[chosen()] } };
    },
    draft: () => ({ at: chosen() }),
    restore: (draft) => radios.forEach((one, at) => (one.checked = at === draft.at)),
    focus: () => radios[0].focus(),
  });
}

// ---------------------------------------------------------------- the way

/**
 * @typedef {object} Step
 * @property {number} turn
 * @property {string} text  what was said; empty: nothing yet
 * @property {number} votes
 * @property {Map<string, number>} others  what else was voted for, and how often
 * @property {number} failed  votes that were none
 */

/**
 * @param {Notice[]} notices
 * @returns {Step[]}
 */
function stepsOf(notices) {
  /** @type {Step[]} */
  const steps = [];
  /** @type {Map<string, number>} */
  let votes = new Map();
  let failed = 0;
  let turn = 0;
  for (const one of notices) {
    if (one.type === "vote") {
      turn = one.turn;
      if (one.failure) failed += 1;
      else if (one.text) votes.set(one.text, (votes.get(one.text) ?? 0) + 1);
    } else if (one.type === "line" && one.chosen) {
      const count = one.votes || votes.get(one.text) || 0;
      votes.delete(one.text);
      steps.push({ turn: one.turn, text: one.text, votes: count, others: votes, failed });
      votes = new Map();
      failed = 0;
    }
  }
  if (votes.size || failed) steps.push({ turn, text: "", votes: 0, others: votes, failed });
  return steps;
}

/** @param {Step[]} steps */
function pending(steps) {
  return steps.length > 0 && !steps[steps.length - 1].text;
}

/**
 * @param {Step} step
 * @param {number} at
 * @param {number} number
 */
function drawn(step, at, number) {
  const y = 18 + at * STEP;
  const parts = [];
  [...step.others].slice(0, 2).forEach(([text, votes], other) => {
    const top = y + 24 + other * 17;
    parts.push(
      svg("path", { class: "other", d: `M ${TRUNK} ${y} C ${TRUNK} ${top}, ${TRUNK + 6} ${top}, ${TRUNK + 16} ${top}` }),
      svg("text", { class: "aside", x: TRUNK + 21, y: top + 4 }, `${cut(text, 40)}${times(votes)}`),
    );
  });
  if (step.text) {
    parts.unshift(svg("line", { class: "way", x1: TRUNK, y1: y, x2: TRUNK, y2: y + STEP }));
    parts.push(svg("text", { class: "said", x: TRUNK + 21, y: y + 4 }, `${cut(step.text, 42)}${times(step.votes)}`));
  }
  if (step.failed) {
    parts.push(svg("text", { class: "aside bad", x: TRUNK + 21, y: y + 58 }, `${step.failed} without an answer`));
  }
  parts.push(node(y, step.text ? "walked" : "open", number));
  return parts;
}

/**
 * @param {number} y
 * @param {string} kind
 * @param {number} number  0: none
 */
function node(y, kind, number) {
  const text = number ? svg("text", { class: "number", x: TRUNK, y: y + 4 }, String(number)) : null;
  return svg("g", { class: `node ${kind}` }, svg("circle", { cx: TRUNK, cy: y, r: number ? 11 : 7 }), text);
}

/** @param {number} votes */
function times(votes) {
  return votes > 1 ? ` ×${votes}` : "";
}

/**
 * @param {string} text
 * @param {number} most  letters; those of Chinese are twice as wide
 */
function cut(text, most) {
  let room = most;
  let out = "";
  for (const letter of text.replace(/\s+/g, " ")) {
    room -= /[\u2e80-\uffef]/.test(letter) ? 2 : 1;
    if (room < 0) return `${out}…`;
    out += letter;
  }
  return out;
}
