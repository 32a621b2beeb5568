/** The form of somebody who lives in a town: what they do, whom they talk to, what they say. */

import { h } from "../../shared/elements.js";
import { shortAddress } from "./map.js";

/** @import { Answer, PosedQuestion } from "../../../gateway/static/client/frames.js" */
/** @import { Form, FormContext } from "../../../gateway/static/stage/form.js" */
/** @import { Told } from "../../../gateway/static/stage/picture.js" */
/** @import { Notice, View, WhatToDo, WhatToSay } from "./views.js" */
/** @typedef {Told<View, Notice> & FormContext} Context */

const NOTHING = { what: "", place: "", minutes: 10, emoji: "", with_whom: "" };
let made = 0;

/**
 * @param {HTMLElement} element
 * @param {PosedQuestion<WhatToDo|WhatToSay|{type: "sandbox.WhatWasAgreed"}>} posed
 * @param {(answer: Answer) => unknown} submit
 * @param {Context} context
 * @returns {Form|null}
 */
export function form(element, { question, text }, submit, context) {
  if (question.type === "sandbox.WhatToDo") return doing(element, question, text, submit, context);
  if (question.type === "sandbox.WhatToSay") return saying(element, question, text, submit, context);
  return null;
}

/**
 * What do you do?
 * @param {HTMLElement} element
 * @param {WhatToDo} question
 * @param {string|undefined} lead
 * @param {(answer: Answer) => unknown} submit
 * @param {Context} context
 */
function doing(element, question, lead, submit, context) {
  const id = `town-${(made += 1)}`;
  const names = (context.scene?.portraits ?? []).map((one) => one.name);
  const places = knownPlaces(context);
  const others = [...(question.met ?? []), ...(question.near ?? [])];
  const kinds = /** @type {[string, string][]} */ ([
    ["do", "Do something"],
    ...(question.why === "begins" ? [] : [["go on", "Go on"]]),
    ...(others.length ? [["talk", "Talk to"]] : []),
  ]);
  const radios = kinds.map(([kind], at) => h("input", { type: "radio", name: id, value: kind, checked: at === 0 }));
  const text = h("textarea", { id: `${id}-text`, class: "town-what", rows: 1, maxlength: 300 });
  text.placeholder = "having a cup of coffee";
  const place = h(
    "select",
    { id: `${id}-place` },
    h("option", { value: "" }, "where I am"),
    ...places.map((one) => h("option", { value: one }, shortAddress(one))),
  );
  const minutes = h("input", { id: `${id}-minutes`, type: "number", min: 1, max: 1440, step: 1, value: 15 });
  const whom = others.map((seat) => h("option", { value: seat }, names[seat] ?? `seat ${seat + 1}`));
  const who = h("select", { id: `${id}-who` }, ...whom);
  const field = (/** @type {string} */ name, /** @type {string} */ label, /** @type {HTMLElement} */ control) =>
    h("div", { class: "ask-field" }, h("label", { for: `${id}-${name}` }, label), control);
  const acts = h(
    "div",
    { class: "town-fields" },
    field("text", "What", text),
    field("place", "Where", place),
    field("minutes", "For how many minutes", minutes),
  );
  const talks = h("div", { class: "town-fields" }, field("who", "To whom", who));
  const kind = () => radios.find((one) => one.checked)?.value ?? "do";
  const changed = () => {
    acts.hidden = kind() !== "do";
    talks.hidden = kind() !== "talk";
  };
  const choices = h(
    "fieldset",
    { class: "town-kinds", hidden: kinds.length < 2 },
    h("legend", { class: "hidden-text" }, "What kind of answer"),
    ...kinds.map(([, label], at) => h("label", { class: "ask-card" }, radios[at], h("span", {}, label))),
  );
  choices.addEventListener("change", changed);
  changed();
  return context.formOf(element, {
    lead: lead || "What do you do?",
    controls: [choices, acts, talks],
    enter: text,
    options: context,
    submit,
    read() {
      if (kind() === "go on") return { answer: { ...NOTHING, kind: "go on" } };
      if (kind() === "talk") return { answer: { ...NOTHING, kind: "talk", with_whom: names[Number(who.value)] } };
      const words = text.value.trim().replace(/\s+/g, " ");
      if (!words) return { fault: "Say what you do.", at: text };
      if (words.includes("@")) return { fault: "Leave out the @.", at: text };
      const long = Math.min(Math.max(Math.round(Number(minutes.value) || 15), 1), 1440);
      return { answer: { ...NOTHING, kind: "do", what: words, place: place.value, minutes: long } };
    },
    draft: () => ({ kind: kind(), text: text.value, place: place.value, minutes: minutes.value, who: who.value }),
    restore(draft) {
      for (const one of radios) one.checked = one.value === (draft.kind ?? "do");
      text.value = draft.text ?? "";
      place.value = draft.place ?? "";
      minutes.value = draft.minutes ?? "15";
      if (draft.who) who.value = draft.who;
      changed();
    },
    focus: () => text.focus(),
  });
}

/**
 * What do you say?
 * @param {HTMLElement} element
 * @param {WhatToSay} question
 * @param {string|undefined} lead
 * @param {(answer: Answer) => unknown} submit
 * @param {Context} context
 */
function saying(element, { left }, lead, submit, context) {
  const id = `town-${(made += 1)}`;
  const text = h("textarea", { rows: 2, maxlength: 2000, "aria-label": "What you say" });
  const ends = h("input", { type: "checkbox", id: `${id}-ends` });
  return context.formOf(element, {
    lead: lead || "What do you say?",
    controls: [
      h("div", { class: "ask-field" }, text),
      h("div", { class: "choice" }, ends, h("label", { for: `${id}-ends` }, "and end the talk with it")),
    ],
    enter: text,
    note: left === 1 ? "Your last words in this talk" : "Enter sends; Shift and Enter begins a line",
    options: context,
    submit,
    read() {
      const words = text.value.trim();
      if (!words) return { fault: "Words are missing.", at: text };
      return { answer: { say: words, ends: ends.checked, about: "" } };
    },
    draft: () => ({ text: text.value, ends: ends.checked }),
    restore(draft) {
      text.value = draft.text ?? "";
      ends.checked = draft.ends ?? false;
    },
    focus: () => text.focus(),
  });
}

/**
 * Addresses that one knows: from the beginning, and those learned since.
 * @param {Context} context
 */
function knownPlaces(context) {
  const known = new Set(context.opening?.known ?? []);
  for (const notice of context.all ?? context.notices) {
    if (notice.type === "perceived") for (const one of notice.learned ?? []) known.add(one);
  }
  return [...known].filter((one) => one.split(":").length > 2).sort();
}
