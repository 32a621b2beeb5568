/**
 * The plain form for a question that waits for a person: what an environment without a form of its
 * own gets, on the stage as on a participant's page. Styled by `stage/form.css`.
 *
 * ```js
 * import { plainForm } from "…/stage/form.js";
 * const form = plainForm(element, posed, async (answer) => {
 *   // `answer` is `{answer}` or `{text}`: spread it into the frame `Act`.
 *   const reply = await socket.act({ turn, question: posed.id, ...answer });
 *   if (reply.type === "NotDone") throw new Error(reply.reason);   // shown, and they mend it
 * });
 * form.focus();
 * ```
 *
 * `posed` is a `PosedQuestion` of the frame `AskedNow` (gateway/services/viewers/frames.py). By its
 * `answer_schema` a choice becomes cards, some choices become boxes, a text a text area, a list a
 * line each, a number a number; what its `options` mean stands on the cards. Without a schema, or
 * where a person asks for it, it is a line as `troupe play` takes it (`Act.text`), with `hint`.
 *
 * While `submit`'s promise is pending nothing can be sent again. Where it throws, the form shows the
 * error's message as the reason and keeps what was written. What is done next is the caller's: a
 * form stays until `remove()`.
 *
 * An environment's stage piece that exports `form(element, posed, submit, context)` takes the same
 * arguments and gives the same handle back, or `null` for a question that it leaves to this one:
 * `questionForm` chooses.
 */

import { h } from "../shared/elements.js";
import { messageOf } from "../shared/words.js";
import { answerOf, fieldsOf, words } from "./fields.js";

/** @import { Answer, PosedQuestion } from "../client/frames.js" */
/** @import { Field } from "./fields.js" */
/** @import { Piece, Told } from "./picture.js" */

/**
 * @typedef {object} Form
 * @property {HTMLFormElement} element
 * @property {() => void} focus  put the cursor where writing begins
 * @property {() => unknown} draft  what is written so far, as plain values
 * @property {(draft: unknown) => void} restore  write a draft of the same question in again
 * @property {(reason: string) => void} refuse  say why it was not taken; it can be sent again
 * @property {(busy: boolean) => void} busy  whether it can be sent
 * @property {() => void} remove
 *
 * @typedef {object} Options
 * @property {string} [send]  what the button says
 * @property {() => void} [typing]  called when something is written
 * @property {unknown} [draft]  what was written before
 *
 * @typedef {Told & Options & {formOf: typeof formOf}} FormContext  what a piece's form is given
 */

let made = 0;

/**
 * Fill an element with the form.
 * @param {HTMLElement} element  what is in it goes
 * @param {PosedQuestion} posed
 * @param {(answer: Answer) => unknown} submit  may return a promise
 * @param {Options} [options]
 * @returns {Form}
 */
export function plainForm(element, posed, submit, options = {}) {
  const fields = fieldsOf(posed.answer_schema, posed.options);
  const controls = (fields ?? [typedField(posed)]).map((one) => control(one));
  return formOf(element, {
    lead: posed.text,
    controls: controls.map((one) => one.element),
    options,
    draft: () => Object.fromEntries(controls.map((one) => [one.field.name, one.value()])),
    restore: (draft) => controls.forEach((one) => one.set(draft[one.field.name])),
    focus: () => controls.find((one) => one.field.kind !== "yesno")?.focus(),
    read() {
      const values = Object.fromEntries(controls.map((one) => [one.field.name, one.value()]));
      const all = controls.map((one) => one.field);
      const { answer, faults } = answerOf(all, values);
      for (const one of controls) one.fault(faults[one.field.name] ?? "");
      const wrong = controls.find((one) => faults[one.field.name]);
      if (wrong) {
        wrong.focus();
        return null;
      }
      return fields ? { answer } : { text: String(answer) };
    },
    submit,
  });
}

/** @typedef {{fault: string, at?: HTMLElement}} Fault  what is wrong, and where */

/**
 * A form of any controls, with a button, a place for the reason of a refusal, and the handle. For
 * stage pieces that bring their own controls.
 * @template {object} Draft
 * @param {HTMLElement} element
 * @param {object} parts
 * @param {string} [parts.lead]  what is asked
 * @param {HTMLElement[]} parts.controls
 * @param {string} [parts.note]  stands beside the button
 * @param {HTMLElement} [parts.beside]  another button, before the one that sends
 * @param {() => Answer|Fault|null} parts.read  the answer, or what is wrong with it; null: that was shown
 * @param {HTMLTextAreaElement} [parts.enter]  where Enter sends, and Shift and Enter begins a line
 * @param {() => Draft} parts.draft
 * @param {(draft: Partial<Draft>) => void} parts.restore
 * @param {() => void} parts.focus
 * @param {(answer: Answer) => unknown} parts.submit
 * @param {Options} [parts.options]
 * @returns {Form}
 */
export function formOf(element, parts) {
  const { options = {}, submit } = parts;
  const id = `ask-${(made += 1)}`;
  const reason = h("p", { class: "ask-reason", role: "alert" });
  const button = h("button", { class: "ask-send", type: "submit" }, options.send ?? "Send");
  const form = h(
    "form",
    { class: "ask", novalidate: true, "aria-labelledby": parts.lead ? id : null },
    parts.lead ? h("p", { class: "ask-lead", id }, parts.lead) : null,
    ...parts.controls,
    reason,
    h(
      "p",
      { class: "ask-foot" },
      parts.note ? h("span", { class: "ask-note" }, parts.note) : null,
      parts.beside ?? null,
      button,
    ),
  );
  let pending = false;
  const busy = (/** @type {boolean} */ on) => {
    pending = on;
    button.disabled = on;
    form.setAttribute("aria-busy", String(on));
  };
  const refuse = (/** @type {string} */ why) => {
    busy(false);
    reason.textContent = why;
  };
  const send = async () => {
    if (pending) return;
    reason.textContent = "";
    const answer = parts.read();
    if (!answer) return;
    if ("fault" in answer) {
      reason.textContent = answer.fault;
      answer.at?.focus();
      return;
    }
    busy(true);
    try {
      await submit(answer);
      busy(false);
    } catch (error) {
      refuse(messageOf(error));
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });
  form.addEventListener("keydown", (event) => {
    const plain = event.target === parts.enter && !event.shiftKey;
    if (event.key !== "Enter" || event.isComposing || !(plain || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  });
  form.addEventListener("change", () => (reason.textContent = ""));
  if (options.typing) form.addEventListener("input", options.typing);
  element.replaceChildren(form);
  const restore = (/** @type {unknown} */ draft) => parts.restore(/** @type {Draft|null} */ (draft) ?? {});
  if (options.draft !== undefined) restore(options.draft);
  return {
    element: form,
    focus: parts.focus,
    draft: parts.draft,
    restore,
    refuse,
    busy,
    remove: () => form.remove(),
  };
}

/**
 * @typedef {object} Control
 * @property {Field} field
 * @property {HTMLElement} element
 * @property {() => unknown} value
 * @property {(value: unknown) => void} set
 * @property {() => void} focus
 * @property {(reason: string) => void} fault
 */

/**
 * What a field is filled in with, labelled, with a place for what is wrong.
 * @param {Field} field
 * @returns {Control}
 */
function control(field) {
  const id = `ask-${(made += 1)}`;
  const fault = h("span", { class: "ask-fault", id: `${id}-fault`, role: "alert" });
  const make = MAKERS[field.kind] ?? text;
  const found = make(field, id);
  const note = field.description ? h("span", { class: "ask-note" }, field.description) : null;
  if (note) found.element.firstElementChild?.after(note);
  found.element.append(fault);
  return {
    field,
    ...found,
    fault(reason) {
      fault.textContent = reason;
      found.element.toggleAttribute("data-fault", Boolean(reason));
      for (const one of found.element.querySelectorAll("input, textarea")) {
        if (reason) one.setAttribute("aria-invalid", "true");
        else one.removeAttribute("aria-invalid");
      }
    },
  };
}

/** @type {Partial<Record<Field["kind"], (field: Field, id: string) => Omit<Control, "field"|"fault">>>} */
const MAKERS = { choice, choices: choice, yesno, group };

/**
 * @param {Field} field
 * @param {string} id
 */
function choice(field, id) {
  const several = field.kind === "choices";
  const options = field.options ?? [];
  const inputs = options.map(() => h("input", { type: several ? "checkbox" : "radio", name: id }));
  const cards = options.map(([value, meaning], at) => {
    const named = words(String(value)) !== meaning;
    const key = named ? h("b", {}, String(value)) : null;
    return h("label", { class: "ask-card" }, inputs[at], key, h("span", {}, meaning));
  });
  const legend = h("legend", { class: field.label ? "" : "hidden-text" }, field.label || "Answer");
  return {
    element: h("fieldset", { class: "ask-cards", "aria-describedby": `${id}-fault` }, legend, ...cards),
    value() {
      const chosen = options.filter((_, at) => inputs[at].checked).map(([value]) => value);
      return several ? chosen : chosen[0];
    },
    set(/** @type {unknown} */ value) {
      const wanted = Array.isArray(value) ? value : [value];
      options.forEach(([one], at) => (inputs[at].checked = wanted.includes(one)));
    },
    focus: () => (inputs.find((one) => one.checked) ?? inputs[0])?.focus(),
  };
}

/**
 * @param {Field} field
 * @param {string} id
 */
function yesno(field, id) {
  const input = h("input", { type: "checkbox", id });
  const label = h("label", { class: "ask-card", for: id }, input, h("span", {}, field.label || "Yes"));
  return {
    element: h("div", { class: "ask-field" }, label),
    value: () => input.checked,
    set: (/** @type {unknown} */ value) => (input.checked = value === true),
    focus: () => input.focus(),
  };
}

/** @param {Field} field */
function group(field) {
  const inner = (field.fields ?? []).map((one) => control(one));
  return {
    element: h(
      "fieldset",
      { class: "ask-group" },
      h("legend", {}, field.label),
      ...inner.map((one) => one.element),
    ),
    value: () => Object.fromEntries(inner.map((one) => [one.field.name, one.value()])),
    set(/** @type {unknown} */ value) {
      const values = /** @type {Record<string, unknown>|null|undefined} */ (value);
      for (const one of inner) one.set(values?.[one.field.name]);
    },
    focus: () => inner[0]?.focus(),
  };
}

/**
 * @param {Field} field
 * @param {string} id
 */
function text(field, id) {
  const number = field.kind === "number";
  const own = { id, "aria-describedby": `${id}-fault` };
  const input = number
    ? h("input", { ...own, type: "number", step: field.whole ? "1" : "any", min: field.least, max: field.most })
    : h("textarea", { ...own, rows: field.kind === "lines" ? 3 : 2 });
  const how = field.kind === "lines" ? " (a line each)" : field.kind === "json" ? " (as JSON)" : "";
  return {
    element: h(
      "div",
      { class: "ask-field" },
      h("label", { for: id }, `${field.label || "Answer"}${how}`),
      input,
    ),
    value: () => input.value,
    set: (/** @type {unknown} */ value) => (input.value = String(value ?? "")),
    focus: () => input.focus(),
  };
}

/**
 * @param {PosedQuestion} posed
 * @returns {Field}
 */
function typedField(posed) {
  return { name: "", kind: "text", label: "Your answer", required: true, description: posed.hint };
}

/**
 * A form for a question: the piece's own, or the plain one.
 * @param {Piece} piece
 * @param {HTMLElement} element
 * @param {PosedQuestion} posed
 * @param {(answer: Answer) => unknown} submit
 * @param {Told & Options} context
 * @returns {Form}
 */
export function questionForm(piece, element, posed, submit, context) {
  try {
    const own = piece.form?.(element, posed, submit, { ...context, formOf });
    if (own) return own;
  } catch (error) {
    console.warn("the environment's form failed:", error);
  }
  return plainForm(element, posed, submit, context);
}
