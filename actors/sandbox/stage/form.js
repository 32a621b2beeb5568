/** The form of somebody who lives in a town: what they do, whom they talk to, what they say. */

import { h } from "../../shared/elements.js";
import { shortAddress } from "./map.js";

const NOTHING = { what: "", place: "", minutes: 10, emoji: "", with_whom: "" };
let made = 0;

/**
 * @param {HTMLElement} element
 * @param {any} posed
 * @param {(answer: any) => unknown} submit
 * @param {any} context
 */
export function form(element, posed, submit, context) {
  const kind = String(posed.question?.type ?? "").split(".").pop();
  if (kind === "WhatToDo") return doing(element, posed, submit, context);
  if (kind === "WhatToSay") return saying(element, posed, submit, context);
  return null;
}

/**
 * What do you do?
 * @param {HTMLElement} element
 * @param {any} posed
 * @param {(answer: any) => unknown} submit
 * @param {any} context
 */
function doing(element, posed, submit, context) {
  const id = `town-${(made += 1)}`;
  const { question } = posed;
  const names = (context.scene?.portraits ?? []).map((/** @type {any} */ one) => one.name);
  const places = knownPlaces(context);
  const others = [...(question.met ?? []), ...(question.near ?? [])];
  const kinds = /** @type {[string, string][]} */ ([
    ["do", "Do something"],
    ...(question.why === "begins" ? [] : [["go on", "Go on"]]),
    ...(others.length ? [["talk", "Talk to"]] : []),
  ]);
  const radios = kinds.map(([kind], at) =>
    /** @type {HTMLInputElement} */ (h("input", { type: "radio", name: id, value: kind, checked: at === 0 })),
  );
  const text = /** @type {HTMLTextAreaElement} */ (
    h("textarea", { id: `${id}-text`, class: "town-what", rows: 1, maxlength: 300, placeholder: "having a cup of coffee" })
  );
  onEnter(text);
  const place = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { id: `${id}-place` },
      h("option", { value: "" }, "where I am"),
      ...places.map((one) => h("option", { value: one }, shortAddress(one))),
    )
  );
  const minutes = /** @type {HTMLInputElement} */ (
    h("input", { id: `${id}-minutes`, type: "number", min: 1, max: 1440, step: 1, value: 15 })
  );
  const who = /** @type {HTMLSelectElement} */ (
    h("select", { id: `${id}-who` }, ...others.map((seat) => h("option", { value: seat }, names[seat] ?? `seat ${seat + 1}`)))
  );
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
  const fault = h("p", { class: "ask-fault", role: "alert" });
  const kind = () => radios.find((one) => one.checked)?.value ?? "do";
  const changed = () => {
    acts.hidden = kind() !== "do";
    talks.hidden = kind() !== "talk";
    fault.textContent = "";
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
    lead: posed.text || "What do you do?",
    controls: [choices, acts, talks, fault],
    options: context,
    submit,
    read() {
      if (kind() === "go on") return { answer: { ...NOTHING, kind: "go on" } };
      if (kind() === "talk") return { answer: { ...NOTHING, kind: "talk", with_whom: names[Number(who.value)] } };
      const words = text.value.trim().replace(/\s+/g, " ");
      if (!words || words.includes("@")) {
        fault.textContent = words ? "Leave out the @." : "Say what you do.";
        text.focus();
        return null;
      }
      const long = Math.min(Math.max(Math.round(Number(minutes.value) || 15), 1), 1440);
      return { answer: { ...NOTHING, kind: "do", what: words, place: place.value, minutes: long } };
    },
    draft: () => ({ kind: kind(), text: text.value, place: place.value, minutes: minutes.value, who: who.value }),
    restore(draft) {
      for (const one of radios) one.checked = one.value === (draft?.kind ?? "do");
      text.value = draft?.text ?? "";
      place.value = draft?.place ?? "";
      minutes.value = draft?.minutes ?? "15";
      if (draft?.who) who.value = draft.who;
      changed();
    },
    focus: () => text.focus(),
  });
}

/**
 * What do you say?
 * @param {HTMLElement} element
 * @param {any} posed
 * @param {(answer: any) => unknown} submit
 * @param {any} context
 */
function saying(element, posed, submit, context) {
  const id = `town-${(made += 1)}`;
  const { left = 1 } = posed.question;
  const text = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 2, maxlength: 2000, "aria-label": "What you say" }));
  const ends = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id: `${id}-ends` }));
  const fault = h("p", { class: "ask-fault", role: "alert" });
  onEnter(text);
  return context.formOf(element, {
    lead: posed.text || "What do you say?",
    controls: [
      h("div", { class: "ask-field" }, text),
      h("div", { class: "choice" }, ends, h("label", { for: `${id}-ends` }, "and end the talk with it")),
      fault,
    ],
    note: left === 1 ? "Your last words in this talk" : "Enter sends; Shift and Enter begins a line",
    options: context,
    submit,
    read() {
      const words = text.value.trim();
      if (!words) {
        fault.textContent = "Words are missing.";
        text.focus();
        return null;
      }
      return { answer: { say: words, ends: ends.checked, about: "" } };
    },
    draft: () => ({ text: text.value, ends: ends.checked }),
    restore(draft) {
      text.value = draft?.text ?? "";
      ends.checked = draft?.ends ?? false;
    },
    focus: () => text.focus(),
  });
}

/**
 * Enter sends.
 * @param {HTMLTextAreaElement} text
 */
function onEnter(text) {
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    text.form?.requestSubmit();
  });
}

/**
 * Addresses that one knows: from the beginning, and those learned since.
 * @param {any} context
 * @returns {string[]}
 */
function knownPlaces(context) {
  const known = new Set(context.opening?.known ?? []);
  for (const notice of context.all ?? context.notices ?? []) {
    for (const one of notice.learned ?? []) known.add(one);
  }
  return [...known].filter((one) => one.split(":").length > 2).sort();
}
