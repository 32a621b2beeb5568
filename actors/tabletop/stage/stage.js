/**
 * The stage piece of sessions at a table: who sits there, whose turn it is and who is next; forms for
 * words and a deed, and for what was learned. docs/how-to/environments.md, "A stage piece", says what
 * is called when.
 */

import { h } from "../../shared/elements.js";

/** @import { Answer, PosedQuestion } from "../../../gateway/static/client/frames.js" */
/** @import { FormContext } from "../../../gateway/static/stage/form.js" */
/** @import { Told } from "../../../gateway/static/stage/picture.js" */
/** @import { AskLearned, CharacterSheet, Move, Notice, Session, View } from "./views.js" */

const MOST_WORDS = 1200;
const MOST_LEARNED = 3000;
let made = 0;

/** Above the columns, where it is seen at once: it is one line high. */
export const wide = true;

/**
 * Show the seats in the order of their turns, with whose turn it is.
 * @param {HTMLElement} element
 * @param {Told<View, Notice>} told
 */
export function render(element, told) {
  const session = told.opening?.setup;
  if (!session?.characters?.length) return false;
  const { characters } = session;
  const moves = told.notices.filter((one) => one.type === "moved");
  const asked = told.ended ? [] : told.waiting;
  const names = shortNames(characters);
  const after = asked.length === 1 && moves.length + 1 < movesOf(session) ? (asked[0] + 1) % characters.length : -1;
  element.replaceChildren(
    h(
      "div",
      { class: "tabletop-order" },
      h("p", { class: "tabletop-move" }, standing(session, moves.length, asked, told.ended)),
      h(
        "ol",
        { "aria-label": "The seats in the order of their turns" },
        ...characters.map((who, seat) =>
          place(who, names[seat], seat, {
            now: asked.includes(seat),
            next: seat === after,
            own: seat === told.viewer,
            npc: seat === characters.length - 1,
          }),
        ),
      ),
    ),
  );
  return true;
}

/**
 * @param {HTMLElement} element
 * @param {PosedQuestion<Move|AskLearned>} posed
 * @param {(answer: Answer) => unknown} submit
 * @param {FormContext} context
 */
export function form(element, posed, submit, context) {
  const { question, text } = posed;
  if (question?.type === "tabletop.Move") return moving(element, question, submit, context);
  if (question?.type === "tabletop.AskLearned") return telling(element, question, text ?? "", submit, context);
  return null;
}

/**
 * Words, a deed, both, or neither.
 * @param {HTMLElement} element
 * @param {Move} question
 * @param {(answer: Answer) => unknown} submit
 * @param {FormContext} context
 */
function moving(element, question, submit, context) {
  const say = area("What you say", 2, MOST_WORDS, "Good evening. What brings you here?");
  const deed = area("What you do", 1, MOST_WORDS, "pulls up a chair");
  const pass = skip("Pass", "Say and do nothing in this turn");
  const handle = context.formOf(element, {
    lead: "What do you say and do?",
    controls: [say.field, deed.field],
    beside: pass.button,
    note: `Move ${question.move} of ${question.of}. One of the two is enough.`,
    options: context,
    submit: pass.submit(submit),
    read() {
      if (pass.taken()) return { answer: { say: "", do: "" } };
      const [words, done] = [say.value(), deed.value()];
      if (!words && !done) return { fault: "Write what you say or do, or pass.", at: say.input };
      return { answer: { say: words, do: done } };
    },
    draft: () => ({ say: say.input.value, do: deed.input.value }),
    restore(draft) {
      say.input.value = draft.say ?? "";
      deed.input.value = draft.do ?? "";
    },
    focus: () => say.input.focus(),
  });
  pass.of(handle.element);
  return handle;
}

/**
 * What the player learned, or supposes.
 * @param {HTMLElement} element
 * @param {AskLearned} question
 * @param {string} lead
 * @param {(answer: Answer) => unknown} submit
 * @param {FormContext} context
 */
function telling(element, question, lead, submit, context) {
  const before = question.moment === "before";
  const facts = area("Every fact in a sentence of its own", 5, MOST_LEARNED, "");
  facts.field.classList.add("tabletop-facts");
  const none = skip(before ? "I cannot guess" : "I learned nothing", "Answer with no fact");
  const handle = context.formOf(element, {
    lead: lead || `What ${before ? "do you suppose" : "have you learned"} about ${question.topic}?`,
    controls: [facts.field],
    beside: none.button,
    note: "The others do not see your answer.",
    options: context,
    submit: none.submit(submit),
    read() {
      if (none.taken()) return { answer: { learned: "" } };
      const learned = facts.value();
      const fault = before ? "Write what you suppose, or that you cannot guess." : "Write what you learned, or that it was nothing.";
      return learned ? { answer: { learned } } : { fault, at: facts.input };
    },
    draft: () => ({ learned: facts.input.value }),
    restore(draft) {
      facts.input.value = draft.learned ?? "";
    },
    focus: () => facts.input.focus(),
  });
  none.of(handle.element);
  return handle;
}

// ---------------------------------------------------------------- controls

/**
 * A text area under its label.
 * @param {string} label
 * @param {number} rows
 * @param {number} most  letters
 * @param {string} example
 */
function area(label, rows, most, example) {
  const id = `table-${(made += 1)}`;
  const input = h("textarea", { id, rows, maxlength: most });
  if (example) input.placeholder = example;
  return {
    input,
    field: h("div", { class: "ask-field" }, h("label", { for: id }, label), input),
    value: () => input.value.trim(),
  };
}

/**
 * A button that answers with nothing, whatever is written.
 * @param {string} label
 * @param {string} title
 */
function skip(label, title) {
  let taken = false;
  const button = h("button", { type: "button", class: "tabletop-skip", title }, label);
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
    /** @param {(answer: Answer) => unknown} send */
    submit: (send) => async (/** @type {Answer} */ answer) => {
      button.disabled = true;
      try {
        await send(answer);
      } finally {
        button.disabled = false;
      }
    },
  };
}

// ---------------------------------------------------------------- the seats

/** @param {Session} session */
function movesOf({ characters, settings = {} }) {
  const { turns = 30, turn = "move" } = settings;
  return turns * (turn === "round" ? characters.length : 1);
}

/**
 * How far the session is.
 * @param {Session} session
 * @param {number} moves  made so far
 * @param {number[]} asked
 * @param {string} ended
 */
function standing(session, moves, asked, ended) {
  const of = movesOf(session);
  if (ended) return `${moves} of ${of} moves were made`;
  if (moves >= of) return "All moves are made: the players say what they learned";
  if (!moves && asked.length > 1) return "Before the first move: the players say what they suppose";
  return `Move ${moves + 1} of ${of}`;
}

/**
 * First names, where they tell everybody apart.
 * @param {CharacterSheet[]} characters
 */
function shortNames(characters) {
  const whole = characters.map((one) => one.name);
  const first = whole.map((name) => name.split(/\s+/)[0]);
  return new Set(first).size === first.length ? first : whole;
}

/**
 * @param {CharacterSheet} who
 * @param {string} name
 * @param {number} seat
 * @param {Record<"now"|"next"|"own"|"npc", boolean>} is
 */
function place(who, name, seat, is) {
  const states = Object.entries(is).flatMap(([state, on]) => (on ? [state] : []));
  const parts = [is.own ? "you" : "", is.npc ? "NPC" : "", is.now ? "now" : is.next ? "next" : ""];
  return h(
    "li",
    {
      class: ["tabletop-seat", `seat-${(seat % 8) + 1}`, ...states].join(" "),
      title: `${who.name}, ${who.race} ${who.role}${is.npc ? ", non-player character" : ""}`,
      "aria-current": is.now ? "step" : null,
    },
    h("b", {}, name),
    ...parts.filter(Boolean).map((part) => h("span", { class: "tabletop-is" }, part)),
  );
}
