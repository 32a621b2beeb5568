/**
 * The stage piece of games: who is in and who is out, the phase, one's own card, votes, the team's
 * channel, offers and the end; a form for an act. docs/how-to/environments.md, "Its stage piece", says
 * what is called when.
 */

import { h } from "../../shared/elements.js";
import { listed } from "../../shared/words.js";
import { gameOf, roleLabel, turnOf } from "./course.js";

/** @import { Page, Told } from "../../../gateway/static/stage/picture.js" */
/** @import { Game, Offer, Tally } from "./course.js" */
/** @import { ActSeen, Card, Notice, View } from "./views.js" */

export { form } from "./form.js";

/** Above the columns: the table of players needs the width. */
export const wide = true;

const COVERED = "troupe-games-covered";
const MOST_LINES = 6;

/**
 * @param {HTMLElement} element
 * @param {Told<View, Notice>} told
 * @param {Page} page
 */
export function mount(element, told, page) {
  if (!gameOf(told)) return null;
  // The researcher's page can go to moments; a participant's is one that others may look at.
  const coverable = typeof told.viewer === "number" && !page.go;
  let covered = coverable && globalThis.sessionStorage?.getItem(COVERED) === "yes";
  let last = told;
  const draw = () => {
    const game = gameOf(last);
    if (!game) return false;
    const toggle = coverable
      ? h("button", { type: "button", class: "small games-cover", "aria-pressed": String(covered), onclick: turnOver }, "Cover my card")
      : null;
    const held = toggle !== null && element.contains(document.activeElement);
    element.replaceChildren(table(game, last, covered, toggle));
    if (held) toggle.focus();
    return true;
  };
  const turnOver = () => {
    covered = !covered;
    globalThis.sessionStorage?.setItem(COVERED, covered ? "yes" : "no");
    draw();
  };
  return {
    /** @param {Told} now */
    update(now) {
      last = /** @type {Told<View, Notice>} */ (now);
      return draw();
    },
  };
}

/**
 * @param {Game} game
 * @param {Told<View, Notice>} told
 * @param {boolean} covered
 * @param {HTMLElement|null} toggle
 */
function table(game, told, covered, toggle) {
  const { deal, ended } = game;
  const { seat: speaker, over } = turnOf(game, told.turn);
  const asked = told.ended || ended ? [] : told.waiting;
  const now = new Set(speaker === null || told.ended ? asked : [...asked, speaker]);
  const head = h(
    "div",
    { class: "games-head" },
    h("p", { class: "games-phase" }, ...standing(game, told, over && !asked.length)),
    toggle,
  );
  const players = h(
    "ol",
    { class: "games-players", "aria-label": "The players" },
    ...deal.players.map((_, seat) => player(game, seat, now.has(seat), covered)),
  );
  const panels = [
    ended ? ending(game, ended) : null,
    game.own === null ? null : cardPanel(game, game.own, covered),
    game.offer ? offerPanel(game, game.offer) : null,
    game.shared.size ? panel("On the table", h("p", { class: "games-counters" }, counters(game.shared))) : null,
    game.tally ? tallyPanel(game, game.tally) : null,
    game.team.length && !covered ? teamPanel(game) : null,
    game.direct.length && !covered ? linesPanel(game, "To one alone", "games-direct", game.direct) : null,
  ].filter((one) => one !== null);
  return h(
    "div",
    { class: `games-table${covered ? " games-covered" : ""}` },
    h("div", { class: "games-top" }, head, players),
    panels.length ? h("div", { class: "games-panels" }, ...panels) : null,
  );
}

/**
 * How far the game is.
 * @param {Game} game
 * @param {Told<View, Notice>} told
 * @param {boolean} over  whether the phase is, as far as the viewer can tell
 */
function standing({ phase, round, deal, ended }, told, over) {
  const left = deal.players.length;
  if (ended || told.ended) return [h("b", {}, deal.rules.title), " is over"];
  if (!told.turn) return [h("b", {}, deal.rules.title), `, ${left} players: it has not begun`];
  const unseen = "what happens now is not for you to see";
  if (!phase) return [h("b", {}, `Round ${round}`), ` · ${unseen}`];
  return [h("b", {}, `Round ${round}`), ` · ${over ? `after “${phase.title}”; ${unseen}` : phase.title}`];
}

// ---------------------------------------------------------------- players

/**
 * @param {Game} game
 * @param {number} seat
 * @param {boolean} now
 * @param {boolean} covered
 */
function player(game, seat, now, covered) {
  const { deal, own, ended } = game;
  const out = game.out.has(seat);
  const role = game.roles.get(seat);
  const shown = role && (role.open || !covered) ? role.label : "";
  const won = ended?.winners.includes(seat) ?? false;
  const marks = covered ? [] : [...(game.marks.get(seat) ?? [])];
  const states = [
    seat === own ? "you" : "",
    out ? "out" : "",
    won ? "has won" : "",
    now && !out ? (game.whole ? "is asked" : seat === own ? "your turn" : "acts now") : "",
  ].filter(Boolean);
  const has = game.counters.get(seat);
  const name = deal.players[seat].name;
  return h(
    "li",
    {
      class: ["games-player", `seat-${(seat % 8) + 1}`, out ? "out" : "", now ? "now" : "", won ? "won" : ""].filter(Boolean).join(" "),
      title: [name, deal.players[seat].about].filter(Boolean).join(": "),
      "aria-current": now ? "step" : null,
    },
    h("b", {}, name),
    shown ? h("span", { class: "games-role" }, shown) : null,
    ...states.map((one) => h("span", { class: "games-is" }, one)),
    ...marks.map((one) => h("span", { class: "games-mark" }, one)),
    has?.size && !covered ? h("span", { class: "games-counters" }, counters(has)) : null,
  );
}

/** @param {Map<string, number>} of */
function counters(of) {
  return [...of].map(([name, amount]) => `${name.replaceAll("-", " ")} ${amount}`).join(" · ");
}

// ---------------------------------------------------------------- panels

/**
 * @param {string} title
 * @param {...(Node|string|null)} children
 */
function panel(title, ...children) {
  return h("section", { class: "games-panel" }, h("h3", {}, title), ...children);
}

/**
 * The card of a seat, for that seat.
 * @param {Game} game
 * @param {number} seat
 * @param {boolean} covered
 */
function cardPanel(game, seat, covered) {
  const card = game.deal.cards?.[seat];
  if (!card) return null;
  const words = covered
    ? [h("p", { class: "muted" }, "It is covered, and so is what only you have learned.")]
    : [
        h("p", { class: "games-own" }, `You are ${roleName(game, card)}.`),
        h("p", {}, card.goal),
        card.secret ? h("p", {}, card.secret) : null,
        card.knows?.length
          ? h("p", {}, `You know: ${listed(card.knows.map((one) => `${nameOf(game, one.seat)} (${roleLabel(game.deal, one.role)})`))}.`)
          : null,
      ];
  const made = panel("Your card", ...words);
  made.classList.add("games-card");
  return made;
}

/**
 * @param {Game} game
 * @param {Card} card
 */
function roleName({ deal }, card) {
  return deal.rules.roles.find((one) => one.id === card.role)?.name ?? card.role;
}

/**
 * Votes as they were counted.
 * @param {Game} game
 * @param {Tally} tally
 */
function tallyPanel(game, { phase, round, chosen, votes }) {
  const most = Math.max(1, ...votes.map((one) => one.count));
  const rows = votes.map(({ seat, count, by }) =>
    h(
      "li",
      { class: `seat-${(seat % 8) + 1}` },
      h("span", {}, h("b", {}, nameOf(game, seat)), ` ${count}`),
      h("progress", { max: most, value: count, "aria-hidden": "true" }),
      by.length ? h("span", { class: "games-by" }, `by ${listed(by.map((one) => nameOf(game, one)))}`) : null,
    ),
  );
  return panel(
    `Votes, round ${round}${phase ? `, ${phase.title}` : ""}`,
    rows.length ? h("ul", { class: "games-votes" }, ...rows) : h("p", { class: "muted" }, "Nobody voted."),
    h("p", {}, chosenOf(game, chosen)),
  );
}

/**
 * @param {Game} game
 * @param {number[]} chosen
 */
function chosenOf(game, chosen) {
  return chosen.length ? `Chosen: ${listed(chosen.map((seat) => nameOf(game, seat)))}.` : "Nobody was chosen.";
}

/**
 * The channel of a team; of all teams for who knows everything.
 * @param {Game} game
 */
function teamPanel(game) {
  const made = linesPanel(game, "Among the team", "games-team", game.team);
  if (game.secret) made.append(h("p", {}, `Round ${game.secret.round}: `, chosenOf(game, game.secret.chosen)));
  return made;
}

/**
 * What is heard by some alone, apart from public talk.
 * @param {Game} game
 * @param {string} title
 * @param {string} kind
 * @param {ActSeen[]} acts
 */
function linesPanel(game, title, kind, acts) {
  const lines = acts.slice(-MOST_LINES).map(({ seat, round, act }) =>
    h(
      "li",
      { class: `seat-${(seat % 8) + 1}` },
      h("b", {}, seat === game.own ? "You" : nameOf(game, seat)),
      typeof act.to === "number" ? ` to ${act.to === game.own ? "you" : nameOf(game, act.to)}` : "",
      ": ",
      act.text ? act.text : [act.verb, ...named(game, act)].filter(Boolean).join(" "),
      h("span", { class: "games-by" }, ` round ${round ?? 1}`),
    ),
  );
  const made = panel(title, h("ul", { class: "games-lines" }, ...lines));
  made.classList.add(kind);
  return made;
}

/**
 * @param {Game} game
 * @param {ActSeen["act"]} act
 */
function named(game, { target, word, numbers = {} }) {
  return [
    typeof target === "number" ? nameOf(game, target) : "",
    word ?? "",
    ...Object.entries(numbers).map(([name, number]) => `${name} ${number}`),
  ];
}

/**
 * @param {Game} game
 * @param {Offer} offer
 */
function offerPanel(game, { seat, numbers, state, by }) {
  const terms = Object.entries(numbers).map(([name, number]) => `${name.replaceAll("-", " ")} ${number}`);
  const closed = by === null ? `It was ${state}.` : `${nameOf(game, by)} ${state} it.`;
  return panel(
    state === "stands" ? "The offer that stands" : "The last offer",
    h("p", {}, h("b", {}, nameOf(game, seat)), ` offers ${terms.join(", ") || "what was agreed"}.`),
    h("p", { class: state === "stands" ? "games-stands" : "muted" }, state === "stands" ? "Nobody has answered it yet." : closed),
  );
}

/**
 * @param {Game} game
 * @param {{text: string, winners: number[]}} ended
 */
function ending(game, { text, winners }) {
  const names = listed(winners.map((seat) => nameOf(game, seat)));
  const own = game.own === null ? "" : winners.includes(game.own) ? "You have won." : winners.length ? "You have not won." : "";
  const made = panel(
    "The end",
    own ? h("p", { class: "games-own" }, own) : null,
    h("p", {}, text),
    h("p", {}, names ? `Won by ${names}.` : "Nobody has won."),
  );
  made.classList.add("games-end");
  return made;
}

/**
 * @param {Game} game
 * @param {number} seat
 */
function nameOf({ deal }, seat) {
  return deal.players[seat]?.name ?? `seat ${seat + 1}`;
}
