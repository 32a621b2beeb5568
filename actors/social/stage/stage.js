/**
 * The social stage piece: who is there, how they stand to each other, who speaks to whom; and a form
 * for an action. docs/how-to/environments.md, "A stage piece", says what is called when.
 */

import { h, svg } from "../../shared/elements.js";
import { counted, initials } from "../../shared/words.js";

/** @import { PosedQuestion, Answer } from "../../../gateway/static/client/frames.js" */
/** @import { FormContext } from "../../../gateway/static/stage/form.js" */
/** @import { Told } from "../../../gateway/static/stage/picture.js" */
/** @import { Profile, SeenAction, View } from "./views.js" */

/** @typedef {{x: number, y: number}} Place */

const WIDTH = 340;
/** How each is stored, what it is called, what is asked for it. */
const KINDS = [
  ["speak", "Say", "What do you say?"],
  ["physical", "Do", "What do you do?"],
  ["non_verbal", "Show", "A look, a gesture"],
  ["leave", "Leave", "Parting words, if any"],
  ["none", "Nothing", ""],
];

/**
 * Draw everybody, with what was said between them.
 * @param {HTMLElement} element
 * @param {Told<View, SeenAction>} told
 */
export function render(element, told) {
  const people = told.opening?.profiles ?? [];
  if (people.length < 2) return false;
  const { places, height } = layout(people.length);
  const { said, last, gone, failed } = course(told.notices, people.length);
  const bonds = new Map((told.opening?.bonds ?? []).map((one) => [key(...one.seats), one.kind]));
  const lines = [];
  for (let one = 0; one < people.length; one += 1) {
    for (let other = one + 1; other < people.length; other += 1) {
      lines.push(bond(places[one], places[other], bonds.get(key(one, other)), people.length));
    }
  }
  const words = people.map((who) => describe(who, said, gone)).join("; ");
  element.replaceChildren(
    svg(
      "svg",
      { class: "social-picture", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": words },
      ...lines,
      ...(last ? speech(last, places, people.length) : []),
      ...people.map((who, seat) =>
        person(who, places[seat], {
          asked: told.waiting.includes(seat) && !told.ended,
          gone: gone.has(seat),
          speaks: last?.seat === seat,
          failed: failed === seat,
        }),
      ),
    ),
  );
  return true;
}

/**
 * A form for what a character says or does.
 * @param {HTMLElement} element
 * @param {PosedQuestion<{type: string}>} posed
 * @param {(answer: Answer) => unknown} submit
 * @param {FormContext} context
 */
export function form(element, posed, submit, context) {
  if (posed.question?.type !== "social.Act" && posed.question?.type !== undefined) return null;
  const group = `kind-${Math.random().toString(36).slice(2)}`;
  const radios = KINDS.map(([kind], at) => h("input", { type: "radio", name: group, value: kind, checked: at === 0 }));
  const text = h("textarea", { rows: 2, "aria-label": KINDS[0][2] });
  const field = h("div", { class: "ask-field" }, text);
  const others = (context.scene?.portraits ?? []).filter((one) => one.seat !== context.viewer);
  const boxes = others.map((one) => h("input", { type: "checkbox", value: one.name }));
  const whisper = h(
    "details",
    { class: "social-to", hidden: others.length < 2 },
    h("summary", {}, "Only for some (a whisper)"),
    h(
      "div",
      { class: "ask-cards" },
      ...others.map((one, at) => h("label", { class: "ask-card" }, boxes[at], h("span", {}, one.name))),
    ),
  );
  const kind = () => radios.find((one) => one.checked)?.value ?? "speak";
  const to = () => boxes.filter((one) => one.checked).map((one) => one.value);
  const changed = () => {
    const hint = KINDS.find(([name]) => name === kind())?.[2] ?? "";
    text.setAttribute("aria-label", hint || "Nothing");
    text.placeholder = hint;
    field.hidden = kind() === "none";
    whisper.hidden = kind() === "none" || others.length < 2;
  };
  const choices = h(
    "fieldset",
    { class: "social-kinds" },
    h("legend", { class: "hidden-text" }, "What kind of action"),
    ...KINDS.map(([, label], at) => h("label", { class: "ask-card" }, radios[at], h("span", {}, label))),
  );
  choices.addEventListener("change", () => {
    changed();
    if (kind() !== "none") text.focus();
  });
  changed();
  return context.formOf(element, {
    lead: "What do you say or do?",
    controls: [choices, field, whisper],
    enter: text,
    note: "Enter sends; Shift and Enter begins a line",
    options: context,
    submit,
    read() {
      const words = text.value.trim();
      if (!words && kind() !== "none" && kind() !== "leave") return { fault: "Words are missing.", at: text };
      const silent = kind() === "none";
      return { answer: { kind: kind(), text: silent ? "" : words, to: silent ? [] : to() } };
    },
    draft: () => ({ kind: kind(), text: text.value, to: to() }),
    restore(draft) {
      for (const one of radios) one.checked = one.value === (draft.kind ?? "speak");
      text.value = draft.text ?? "";
      for (const one of boxes) one.checked = (draft.to ?? []).includes(one.value);
      changed();
    },
    focus: () => text.focus(),
  });
}

// ---------------------------------------------------------------- what happened

/**
 * @param {SeenAction[]} notices
 * @param {number} seats
 */
function course(notices, seats) {
  const said = Array.from({ length: seats }, () => 0);
  /** @type {Set<number>} */
  const gone = new Set();
  /** @type {SeenAction|null} */
  let last = null;
  let failed = -1;
  for (const one of notices) {
    failed = one.failure ? one.seat : -1;
    if (one.failure) continue;
    // Of what a narrator tells nobody is the speaker.
    if (one.seat < 0) {
      last = null;
      continue;
    }
    if (one.kind === "leave") gone.add(one.seat);
    if (one.kind !== "none") said[one.seat] += 1;
    last = one;
  }
  return { said, last: failed < 0 ? last : null, gone, failed };
}

/**
 * @param {Profile} who
 * @param {number[]} said
 * @param {Set<number>} gone
 */
function describe(who, said, gone) {
  return `${who.label}: ${counted(said[who.seat], "action")}${gone.has(who.seat) ? ", has left" : ""}`;
}

// ---------------------------------------------------------------- the drawing

/** @param {number} count */
function layout(count) {
  if (count === 2) {
    const places = [
      { x: 70, y: 62 },
      { x: WIDTH - 70, y: 62 },
    ];
    return { places, height: 124 };
  }
  const [rx, ry] = [118, count > 4 ? 92 : 76];
  const places = Array.from({ length: count }, (_, at) => {
    const angle = (at / count) * 2 * Math.PI - Math.PI / 2;
    return { x: WIDTH / 2 + rx * Math.cos(angle), y: ry + 34 + ry * Math.sin(angle) };
  });
  return { places, height: 2 * ry + 94 };
}

/**
 * @param {Place} one
 * @param {Place} other
 * @param {string|undefined} kind
 * @param {number} count
 */
function bond(one, other, kind, count) {
  const line = svg("line", {
    class: kind ? "bond" : "bond stranger",
    x1: one.x.toFixed(1),
    y1: one.y.toFixed(1),
    x2: other.x.toFixed(1),
    y2: other.y.toFixed(1),
  });
  if (!kind || count > 4) return line;
  const at = { x: ((one.x + other.x) / 2).toFixed(1), y: ((one.y + other.y) / 2 - 9).toFixed(1) };
  return svg("g", {}, line, svg("text", { class: "kind", ...at }, kind.replaceAll("_", " ")));
}

/**
 * From whoever acted last to those who noticed.
 * @param {SeenAction} last
 * @param {Place[]} places
 * @param {number} count
 */
function speech(last, places, count) {
  if (last.kind === "none") return [];
  const hearers = last.to?.length ? last.to : [...Array(count).keys()].filter((seat) => seat !== last.seat);
  const from = places[last.seat];
  return hearers.map((seat) => {
    const to = places[seat];
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const end = { x: to.x - ux * 29, y: to.y - uy * 29 };
    const line = { x1: from.x + ux * 26, y1: from.y + uy * 26, x2: end.x - ux * 7, y2: end.y - uy * 7 };
    const points = [
      [end.x, end.y],
      [end.x - ux * 10 - uy * 5, end.y - uy * 10 + ux * 5],
      [end.x - ux * 10 + uy * 5, end.y - uy * 10 - ux * 5],
    ];
    return svg(
      "g",
      { class: `speech seat-${(last.seat % 8) + 1}${last.to?.length ? " whispered" : ""}` },
      svg("line", line),
      svg("polygon", { points: points.map((point) => point.map((n) => n.toFixed(1)).join(",")).join(" ") }),
    );
  });
}

/**
 * @param {Profile} who
 * @param {Place} at
 * @param {Record<"asked"|"gone"|"speaks"|"failed", boolean>} now
 */
function person(who, at, now) {
  const states = Object.entries(now).flatMap(([name, on]) => (on ? [name] : []));
  const [x, y] = [at.x.toFixed(1), at.y.toFixed(1)];
  const name = who.label.length > 19 ? `${who.label.slice(0, 18)}…` : who.label;
  return svg(
    "g",
    { class: ["person", `seat-${(who.seat % 8) + 1}`, ...states].join(" ") },
    svg("circle", { class: "ring", cx: x, cy: y, r: 25 }),
    svg("circle", { class: "body", cx: x, cy: y, r: 21 }),
    svg("text", { class: "initials", x, y: (at.y + 5).toFixed(1) }, now.failed ? "!" : initials(who.label)),
    svg("text", { class: "name", x, y: (at.y + 42).toFixed(1) }, name),
    now.gone ? svg("text", { class: "kind", x, y: (at.y + 56).toFixed(1) }, "has left") : null,
  );
}

/**
 * @param {number} one
 * @param {number} other
 */
function key(one, other) {
  return `${Math.min(one, other)}-${Math.max(one, other)}`;
}
