// What a seat is told, as elements: who it is, and what happens. Texts are texts, whatever they hold.

import { h } from "../shared/elements.js";

/** @import { Answer, Entry, Portrait, Scene } from "../client/frames.js" */
/** @import { Child } from "../shared/elements.js" */

/**
 * How a seat is called.
 * @param {Scene|null} scene  null before it is known
 * @param {number} seat  from 0
 * @returns {string}
 */
export function name(scene, seat) {
  const portrait = scene?.portraits.find((one) => one.seat === seat);
  return portrait?.name || `Seat ${seat + 1}`;
}

/**
 * What a character knows before it begins.
 * @param {Scene} scene
 * @param {number} seat  whose eyes these are
 */
export function brief(scene, seat) {
  const own = scene.portraits.find((one) => one.seat === seat);
  const others = scene.portraits.filter((one) => one.seat !== seat);
  const { relationships = [], notes = [] } = scene;
  const parts = [
    own?.goal ? section("Your goal", h("p", { class: "goal" }, own.goal)) : null,
    scene.situation ? section("The scene", ...paragraphs(scene.situation)) : null,
    own?.secret ? section("What nobody else knows", h("p", {}, own.secret)) : null,
    own ? section("About you", ...portrait(own)) : null,
    ...others.map(other),
    relationships.length ? section("Between you", ...relationships.map((one) => h("p", {}, one))) : null,
    ...notes.map(([title, text]) => section(title, ...paragraphs(text))),
  ];
  return parts.filter((one) => one !== null);
}

/** @param {Portrait} one */
function other(one) {
  const words = portrait(one);
  if (one.goal) words.push(h("p", {}, h("b", {}, "Wants: "), one.goal));
  return words.length
    ? section(one.name, ...words)
    : section(one.name, h("p", { class: "muted" }, "You know nothing of them."));
}

/** @param {Portrait} one @returns {HTMLElement[]} */
function portrait(one) {
  if (one.brief?.length) return one.brief.map((line) => h("p", {}, line));
  if (!one.facts?.length) return [];
  const rows = one.facts.map(([what, fact]) =>
    h("div", {}, h("dt", {}, what), h("dd", {}, fact)),
  );
  return [h("dl", { class: "facts" }, ...rows)];
}

/** @param {string} title @param {...Child} words */
function section(title, ...words) {
  return h("section", { class: "brief-part" }, h("h3", {}, title), ...words);
}

/** @param {string} text */
function paragraphs(text) {
  return text.split(/\n{2,}/).map((one) => h("p", {}, one));
}

/**
 * Something that happened.
 * @param {Entry} one
 * @param {Scene|null} scene
 * @param {number} seat  whose eyes these are
 */
export function entry(one, scene, seat) {
  const { seat: actor = null } = one;
  if (actor === null && one.verb && !one.failed) {
    return h("div", { class: "entry aside" }, h("p", { class: "who" }, `${one.who} ${one.verb}`), h("p", {}, one.text));
  }
  if (actor === null || one.idle || one.failed) {
    return h("div", { class: "entry aside" }, h("p", {}, one.failed ? `${who(one, scene)} did nothing.` : one.line));
  }
  const own = actor === seat;
  const to = (one.to ?? []).map((hearer) => (hearer === seat ? "you" : name(scene, hearer)));
  const words = one.verb
    ? h("p", { class: "done" }, h("span", { class: "verb" }, `${one.verb} `), one.text)
    : h("p", {}, one.text || one.line);
  return h(
    "div",
    { class: `entry ${own ? "own" : "theirs"} seat-${(actor % 8) + 1}` },
    h("p", { class: "who" }, own ? "You" : who(one, scene), to.length ? h("span", { class: "badge" }, `only to ${to.join(", ")}`) : null),
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
 * @param {Answer} given  as a form sends it
 * @returns {string}
 */
export function inShort({ answer, text }) {
  if (text) return text;
  if (answer === null || typeof answer !== "object") return String(answer ?? "");
  if ("text" in answer && answer.text) return String(answer.text);
  const told = Object.entries(answer).filter(([field, value]) => field !== "type" && typeof value !== "object" && value !== "");
  return told.map(([, value]) => String(value)).join(", ");
}

/** @param {Entry} one @param {Scene|null} scene */
function who(one, scene) {
  return one.who || name(scene, one.seat ?? 0);
}
