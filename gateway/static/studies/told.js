// What a seat is told, as elements: who it is, and what happens. Texts are texts, whatever they hold.

import { h } from "../shared/elements.js";

/**
 * How a seat is called.
 * @param {any} scene  `Scene`; null before it is known
 * @param {number} seat  from 0
 * @returns {string}
 */
export function name(scene, seat) {
  const portrait = scene?.portraits.find((/** @type {any} */ one) => one.seat === seat);
  return portrait?.name || `Seat ${seat + 1}`;
}

/**
 * What a character knows before it begins.
 * @param {any} scene
 * @param {number} seat  whose eyes these are
 * @returns {HTMLElement[]}
 */
export function brief(scene, seat) {
  const own = scene.portraits.find((/** @type {any} */ one) => one.seat === seat);
  const others = scene.portraits.filter((/** @type {any} */ one) => one.seat !== seat);
  const parts = [
    own?.goal ? section("Your goal", h("p", { class: "goal" }, own.goal)) : null,
    scene.situation ? section("The scene", ...paragraphs(scene.situation)) : null,
    own ? section("About you", ...portrait(own)) : null,
    own?.secret ? section("What nobody else knows", h("p", {}, own.secret)) : null,
    ...others.map((/** @type {any} */ one) => other(one)),
    scene.relationships?.length
      ? section("Between you", ...scene.relationships.map((/** @type {string} */ one) => h("p", {}, one)))
      : null,
    ...(scene.notes ?? []).map((/** @type {[string, string]} */ [title, text]) =>
      section(title, ...paragraphs(text)),
    ),
  ];
  return /** @type {HTMLElement[]} */ (parts.filter(Boolean));
}

/** @param {any} one */
function other(one) {
  const words = portrait(one);
  if (one.goal) words.push(h("p", {}, h("b", {}, "Wants: "), one.goal));
  return words.length
    ? section(one.name, ...words)
    : section(one.name, h("p", { class: "muted" }, "You know nothing of them."));
}

/** @param {any} one @returns {HTMLElement[]} */
function portrait(one) {
  if (one.brief?.length) return one.brief.map((/** @type {string} */ line) => h("p", {}, line));
  if (!one.facts?.length) return [];
  const rows = one.facts.map((/** @type {[string, string]} */ [what, fact]) =>
    h("div", {}, h("dt", {}, what), h("dd", {}, fact)),
  );
  return [h("dl", { class: "facts" }, ...rows)];
}

/** @param {string} title @param {...any} words */
function section(title, ...words) {
  return h("section", { class: "brief-part" }, h("h3", {}, title), ...words);
}

/** @param {string} text */
function paragraphs(text) {
  return text.split(/\n{2,}/).map((one) => h("p", {}, one));
}

/**
 * Something that happened.
 * @param {any} one  `Entry`
 * @param {any} scene
 * @param {number} seat  whose eyes these are
 * @returns {HTMLElement}
 */
export function entry(one, scene, seat) {
  const nobody = one.seat === null || one.seat === undefined;
  if (nobody && one.verb && !one.failed) {
    return h("div", { class: "entry aside" }, h("p", { class: "who" }, `${one.who} ${one.verb}`), h("p", {}, one.text));
  }
  if (nobody || one.idle || one.failed) {
    return h("div", { class: "entry aside" }, h("p", {}, one.failed ? `${who(one, scene)} did nothing.` : one.line));
  }
  const own = one.seat === seat;
  const marks = [
    one.to?.length ? h("span", { class: "badge" }, whisper(one, scene, seat)) : null,
  ];
  const words = one.verb
    ? h("p", { class: "done" }, h("span", { class: "verb" }, `${one.verb} `), one.text)
    : h("p", {}, one.text || one.line);
  return h(
    "div",
    { class: `entry ${own ? "own" : "theirs"} seat-${(one.seat % 8) + 1}` },
    h("p", { class: "who" }, own ? "You" : who(one, scene), ...marks),
    words,
  );
}

/**
 * What was sent and is not taken yet: an episode that is paused, or a turn that others are asked in.
 * @param {string} words
 * @returns {HTMLElement}
 */
export function waiting(words) {
  return h(
    "div",
    { class: "entry own sent" },
    h("p", { class: "who" }, "You", h("span", { class: "badge" }, "waiting")),
    h("p", {}, words),
  );
}

/**
 * An answer in short, whatever it answers.
 * @param {{answer?: any, text?: string}} given  as a form sends it
 * @returns {string}
 */
export function inShort({ answer, text }) {
  if (text) return text;
  if (answer === null || typeof answer !== "object") return String(answer ?? "");
  if (answer.text) return String(answer.text);
  const told = Object.entries(answer).filter(([field, value]) => field !== "type" && typeof value !== "object" && value !== "");
  return told.map(([, value]) => String(value)).join(", ");
}

/** @param {any} one @param {any} scene */
function who(one, scene) {
  return one.who || name(scene, one.seat);
}

/** @param {any} one @param {any} scene @param {number} seat */
function whisper(one, scene, seat) {
  const to = one.to.map((/** @type {number} */ hearer) => (hearer === seat ? "you" : name(scene, hearer)));
  return `only to ${to.join(", ")}`;
}
