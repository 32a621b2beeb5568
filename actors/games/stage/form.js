/** The form for an act in a game: a verb, whom it names, numbers, a word, words, and who hears them. */

import { h } from "../../shared/elements.js";
import { sentence } from "../../shared/words.js";

/** @import { Answer, PosedQuestion } from "../../../gateway/static/client/frames.js" */
/** @import { Form, FormContext } from "../../../gateway/static/stage/form.js" */
/** @import { Told } from "../../../gateway/static/stage/picture.js" */
/** @import { ActOption, Decide, Heard, Notice, NumberRange, View } from "./views.js" */
/** @typedef {Told<View, Notice> & FormContext} Context */

/**
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {string} name  of the field of the answer
 * @property {() => string} value
 * @property {(value: string) => void} set
 * @property {() => void} focus
 * @property {(value: string) => string} fault  what is wrong with a value; empty: nothing
 * @property {(value: string) => unknown} answer
 */

const MOST_WORDS = 1200;
const PASS = "pass";
/** @type {Record<Heard, string>} */
const HEARD = {
  public: "All learn what you do.",
  team: "Your team alone learns what you do.",
  self: "Nobody else learns what you do.",
  named: "Only whom you name learns what you do.",
};
let made = 0;

/**
 * @param {HTMLElement} element
 * @param {PosedQuestion<Decide|{type: "other"}>} posed
 * @param {(answer: Answer) => unknown} submit
 * @param {Context} context
 * @returns {Form|null}
 */
export function form(element, { question }, submit, context) {
  return question.type === "games.Decide" ? deciding(element, question, submit, context) : null;
}

/**
 * @param {HTMLElement} element
 * @param {Decide} question
 * @param {(answer: Answer) => unknown} submit
 * @param {Context} context
 */
function deciding(element, question, submit, context) {
  const names = context.opening?.setup.players.map((one) => one.name) ?? [];
  const verbs = question.options.filter((one) => one.verb !== PASS);
  const parts = verbs.map((option) => ({ option, controls: controlsOf(option, names, verbs.length > 1) }));
  const id = `games-${(made += 1)}`;
  const radios = verbs.map(({ verb }) => h("input", { type: "radio", name: id, value: verb }));
  const groups = parts.map(({ controls }) =>
    h("div", { class: "games-fields", hidden: verbs.length > 1 }, ...controls.map((one) => one.element)),
  );
  const chosen = () => (verbs.length > 1 ? radios.findIndex((one) => one.checked) : verbs.length - 1);
  const shows = () => groups.forEach((one, at) => (one.hidden = at !== chosen()));
  const choice = h(
    "fieldset",
    { class: "ask-cards games-verbs" },
    h("legend", {}, "What you do"),
    ...verbs.map(({ text }, at) => h("label", { class: "ask-card" }, radios[at], h("span", {}, text))),
  );
  choice.addEventListener("change", shows);
  const may = question.options.some((one) => one.verb === PASS);
  const pass = passing(submit);
  const heard = question.heard ?? "public";
  const handle = context.formOf(element, {
    lead: `Round ${question.round ?? 1}, ${question.title}`,
    controls: [
      ...(question.text ? [h("p", {}, question.text)] : []),
      ...(verbs.length > 1 ? [choice] : []),
      ...groups,
      h("p", { class: "games-uncover" }, "It is your turn. Uncover your card to answer."),
    ],
    beside: may ? pass.button : undefined,
    note: question.together ? `${HEARD[heard]} It is told once all have answered.` : HEARD[heard],
    options: context,
    submit: pass.submit,
    read() {
      if (pass.taken()) return { answer: { verb: PASS } };
      const at = chosen();
      if (at < 0) return { fault: may ? "Choose what you do, or do nothing." : "Choose what you do.", at: radios[0] };
      const { option, controls } = parts[at];
      /** @type {Record<string, unknown>} */
      const answer = { verb: option.verb };
      for (const one of controls) {
        const fault = one.fault(one.value());
        if (fault) {
          one.focus();
          return { fault };
        }
        const given = one.answer(one.value());
        if (given !== null) answer[one.name] = given;
      }
      return { answer };
    },
    draft: () => ({
      verb: verbs[chosen()]?.verb ?? "",
      fields: parts.map(({ controls }) => controls.map((one) => one.value())),
    }),
    restore({ verb, fields = [] }) {
      radios.forEach((one, at) => (one.checked = verbs[at].verb === verb));
      parts.forEach(({ controls }, at) => controls.forEach((one, place) => one.set(fields[at]?.[place] ?? "")));
      shows();
    },
    focus: () => (verbs.length > 1 ? radios[0] : parts[0]?.controls[0])?.focus(),
  });
  if (heard !== "public") handle.element.classList.add("games-secret");
  pass.of(handle.element);
  shows();
  return handle;
}

/**
 * What a verb takes.
 * @param {ActOption} option
 * @param {string[]} names
 * @param {boolean} several  whether there are others: then what the verb means stands above
 */
function controlsOf(option, names, several) {
  const what = option.text;
  const label = (/** @type {string} */ own) => (several ? own : what);
  const { targets = [], numbers = [], words = [], direct = [] } = option;
  /** @type {Control[]} */
  const controls = [];
  if (targets.length) {
    controls.push(oneOf("target", label("Whom"), targets.map((seat) => [names[seat] ?? `${seat + 1}`, seat]), "Choose one of the players."));
  }
  if (words.length) controls.push(oneOf("word", label("Which word"), words.map((word) => [word, null]), "Choose one of the words."));
  for (const one of numbers) controls.push(numberOf(one));
  if (option.says) controls.push(wordsOf(label("What you say")));
  if (option.says && direct.length) controls.push(hearers(direct.map((seat) => names[seat] ?? `${seat + 1}`)));
  if (!controls.length && !several) {
    // A verb that takes nothing is what the button does.
    controls.push({ element: h("p", {}, sentence(what)), name: "", value: () => "", set() {}, focus() {}, fault: () => "", answer: () => null });
  }
  return controls;
}

/**
 * One of some, as cards with radio buttons.
 * @param {string} name
 * @param {string} label
 * @param {[string, number|null][]} choices  with seats, for their colours
 * @param {string} missing
 * @returns {Control}
 */
function oneOf(name, label, choices, missing) {
  const id = `games-${(made += 1)}`;
  const inputs = choices.map(([value]) => h("input", { type: "radio", name: id, value }));
  const cards = choices.map(([value, seat], at) =>
    h("label", { class: `ask-card${seat === null ? "" : ` seat-${(seat % 8) + 1}`}` }, inputs[at], h("span", {}, value)),
  );
  return {
    element: h("fieldset", { class: "ask-cards games-choices" }, h("legend", {}, label), ...cards),
    name,
    value: () => choices[inputs.findIndex((one) => one.checked)]?.[0] ?? "",
    set: (value) => choices.forEach(([one], at) => (inputs[at].checked = one === value)),
    focus: () => (inputs.find((one) => one.checked) ?? inputs[0]).focus(),
    fault: (value) => (value ? "" : missing),
    answer: (value) => value,
  };
}

/**
 * @param {NumberRange} range
 * @returns {Control}
 */
function numberOf({ id: name, text, low, high }) {
  const id = `games-${(made += 1)}`;
  const input = h("input", { id, type: "number", min: low, max: high, step: 1, inputmode: low < 0 ? null : "numeric", autocomplete: "off" });
  const label = `${text} (${low} to ${high})`;
  return {
    element: h("div", { class: "ask-field" }, h("label", { for: id }, label), input),
    name,
    value: () => input.value ?? "",
    set: (value) => (input.value = value),
    focus: () => input.focus(),
    fault(value) {
      const number = Number(value);
      const fits = value.trim() && Number.isInteger(number) && low <= number && number <= high;
      return fits ? "" : `${sentence(text).slice(0, -1)}: give a whole number from ${low} to ${high}.`;
    },
    answer: Number,
  };
}

/**
 * @param {string} label
 * @returns {Control}
 */
function wordsOf(label) {
  const id = `games-${(made += 1)}`;
  const input = h("textarea", { id, rows: 2, maxlength: MOST_WORDS });
  return {
    element: h("div", { class: "ask-field" }, h("label", { for: id }, label), input),
    name: "say",
    value: () => input.value ?? "",
    set: (value) => (input.value = value),
    focus: () => input.focus(),
    fault: (value) => (value.trim() ? "" : "Write what you say."),
    answer: (value) => value.trim(),
  };
}

/**
 * Who hears the words.
 * @param {string[]} names
 * @returns {Control}
 */
function hearers(names) {
  const id = `games-${(made += 1)}`;
  const input = h("select", { id }, h("option", { value: "" }, "all who hear this phase"), ...names.map((one) => h("option", { value: one }, `${one} alone`)));
  return {
    element: h("div", { class: "ask-field" }, h("label", { for: id }, "Who hears it"), input),
    name: "to",
    value: () => input.value ?? "",
    set: (value) => (input.value = value),
    focus: () => input.focus(),
    fault: () => "",
    answer: (value) => value || null,
  };
}

/**
 * A button that answers with nothing, whatever is written.
 * @param {(answer: Answer) => unknown} send
 */
function passing(send) {
  let taken = false;
  const button = h("button", { type: "button", class: "games-pass" }, "Do nothing");
  return {
    button,
    taken: () => taken,
    /** @param {HTMLFormElement} form */
    of(form) {
      button.addEventListener("click", () => {
        taken = true;
        form.requestSubmit();
        taken = false;
      });
    },
    submit: async (/** @type {Answer} */ answer) => {
      button.disabled = true;
      try {
        await send(answer);
      } finally {
        button.disabled = false;
      }
    },
  };
}
