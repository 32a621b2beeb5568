/** How a game stands as one viewer was told of it. Pure. */

/** @import { Told } from "../../../gateway/static/stage/picture.js" */
/** @import { Act, ActSeen, Deal, Fact, Notice, Phase, Role, View } from "./views.js" */

/**
 * @typedef {object} KnownRole
 * @property {string} label
 * @property {boolean} open  whether all know it
 *
 * @typedef {object} Tally
 * @property {Phase|null} phase
 * @property {number} round
 * @property {number[]} chosen
 * @property {{seat: number, count: number, by: number[]}[]} votes  most first; `by`: those who are known
 *
 * @typedef {object} Offer
 * @property {number} seat
 * @property {Record<string, number>} numbers
 * @property {"stands"|"accepted"|"refused"} state
 * @property {number|null} by
 *
 * @typedef {object} Game
 * @property {Deal} deal
 * @property {boolean} whole  whether the viewer knows everything
 * @property {number|null} own  the viewer's seat
 * @property {Set<number>} out
 * @property {Map<number, KnownRole>} roles
 * @property {Map<number, Set<string>>} marks
 * @property {number} round
 * @property {Phase|null} phase  the last of which the viewer was told
 * @property {number} since  the turn after which it began
 * @property {ActSeen[]} acts  of the phase
 * @property {Tally|null} tally  of the last vote that all could count
 * @property {Tally|null} secret  of the last one that was counted among some
 * @property {Offer|null} offer
 * @property {Map<number, Map<string, number>>} counters  by seat, as far as they are known for sure
 * @property {Map<string, number>} shared
 * @property {ActSeen[]} team  what was said and done among a team
 * @property {ActSeen[]} direct  what was said to one alone
 * @property {{text: string, winners: number[]}|null} ended
 */

/**
 * What was told, notice by notice.
 * @param {Told<View, Notice>} told
 * @returns {Game|null}  null: there is no game
 */
export function gameOf(told) {
  const deal = told.opening?.setup;
  if (!deal?.rules || !deal.players?.length) return null;
  const game = beginning(deal, told.viewer);
  for (const notice of told.notices) {
    if (notice.type === "acted") takeAct(game, notice);
    else takeFact(game, notice.fact, notice.turn);
  }
  return game;
}

/**
 * A role's name without its article.
 * @param {Deal} deal
 * @param {string} id
 */
export function roleLabel(deal, id) {
  const name = deal.rules.roles.find((one) => one.id === id)?.name ?? id;
  return name.replace(/^(an?|the)\s+/i, "");
}

/**
 * What was told of somebody: a role, or their team alone.
 * @param {Deal} deal
 * @param {string} what
 * @param {string} word
 */
function shownLabel(deal, what, word) {
  return what === "team" ? `side: ${word}` : roleLabel(deal, word);
}

/**
 * Whose turn it is where all can tell: in a public phase everybody who is left acts in order.
 * @param {Game} game
 * @param {number} turn  the last one opened
 * @returns {{seat: number|null, over: boolean}}
 */
export function turnOf(game, turn) {
  const { phase, deal } = game;
  const unknown = { seat: null, over: false };
  if (!phase || game.whole) return unknown;
  if (!phase.verbs?.length) return { seat: null, over: true };
  if (phase.until || !isForAll(phase)) return unknown;
  const seats = deal.players.map((_, seat) => seat);
  const repeats = (phase.verbs.some((one) => one.says) && deal.settings?.talk) || (phase.repeat ?? 1);
  const passed = turn - game.since;
  if (phase.order === "together") return { seat: null, over: passed > repeats };
  const first = (game.round - 1) % seats.length;
  const order = [...seats.slice(first), ...seats.slice(0, first)].filter((seat) => !game.out.has(seat));
  if (passed > order.length * repeats) return { seat: null, over: true };
  return { seat: passed > 0 ? order[(passed - 1) % order.length] : null, over: false };
}

/** @param {Phase} phase */
function isForAll(phase) {
  const { who = {}, verbs = [], visibility = "public" } = phase;
  const narrowed = Object.entries(who).some(([field, value]) => field !== "status" && value.length);
  const always = verbs.some(
    (one) =>
      !one.when &&
      !Object.keys(one.costs ?? {}).length &&
      !one.effects?.some(({ do: what }) => what === "accept" || what === "refuse"),
  );
  return visibility === "public" && !narrowed && (who.status ?? "in") === "in" && always;
}

/**
 * @param {Deal} deal
 * @param {string|number} viewer
 * @returns {Game}
 */
function beginning(deal, viewer) {
  const whole = viewer === "narrator" || viewer === "judge";
  const own = typeof viewer === "number" ? viewer : null;
  /** @type {Map<number, KnownRole>} */
  const roles = new Map();
  /** @type {Game["counters"]} */
  const counters = new Map();
  const named = new Map(deal.rules.roles.map((one) => /** @type {[string, Role]} */ ([one.id, one])));
  (deal.cards ?? []).forEach((card, seat) => {
    if (!card) return;
    roles.set(seat, { label: roleLabel(deal, card.role), open: false });
    counters.set(seat, new Map(Object.entries(named.get(card.role)?.counters ?? {})));
    for (const one of whole ? [] : (card.knows ?? [])) {
      roles.set(one.seat, { label: roleLabel(deal, one.role), open: false });
    }
  });
  return {
    deal,
    whole,
    own,
    out: new Set(),
    roles,
    marks: new Map(),
    round: 1,
    phase: null,
    since: 0,
    acts: [],
    tally: null,
    secret: null,
    offer: null,
    counters,
    shared: new Map(whole ? Object.entries(deal.rules.counters ?? {}) : []),
    team: [],
    direct: [],
    ended: null,
  };
}

/**
 * @param {Game} game
 * @param {ActSeen} seen
 */
function takeAct(game, seen) {
  game.acts.push(seen);
  const phase = phaseNamed(game.deal, seen.phase);
  if (typeof seen.act.to === "number") game.direct.push(seen);
  else if (phase?.visibility === "team" && seen.act.verb && seen.act.verb !== "pass") game.team.push(seen);
}

/**
 * @param {Game} game
 * @param {Fact} fact
 * @param {number} turn
 */
function takeFact(game, fact, turn) {
  const { deal } = game;
  const { seat = null, name = "", word = "", amount = 0 } = fact;
  switch (fact.kind) {
    case "phase":
      // One that nobody is told of was skipped, or is none to be played.
      if (game.whole && fact.to?.length === 0) return;
      // Nobody who plays is told that a mark was cleared.
      if (!game.whole) game.marks.clear();
      [game.phase, game.round, game.since, game.acts] = [phaseNamed(deal, name), amount, turn, []];
      return;
    case "eliminated":
      if (seat === null) return;
      game.out.add(seat);
      if (word && !game.whole) game.roles.set(seat, { label: shownLabel(deal, name, word), open: true });
      return;
    case "revealed":
      if (seat === null || game.whole || game.roles.get(seat)?.open) return;
      // Who knows the role is told nothing by the team.
      if (name !== "role" && game.roles.has(seat)) return;
      game.roles.set(seat, { label: shownLabel(deal, name, word), open: Boolean(game.ended) });
      return;
    case "marked":
    case "protected":
      if (seat !== null) game.marks.set(seat, new Set([...(game.marks.get(seat) ?? []), name || "protected"]));
      return;
    case "unmarked":
    case "unprotected":
      if (seat !== null) game.marks.get(seat)?.delete(name || "protected");
      return;
    case "counted":
      count(game, seat, name, amount);
      return;
    case "gave":
      count(game, seat, name, -amount);
      count(game, fact.other ?? null, name, amount);
      return;
    case "offered":
      if (seat !== null) game.offer = { seat, numbers: fact.numbers ?? {}, state: "stands", by: null };
      return;
    case "closed":
      if (seat !== null) {
        const state = amount ? "accepted" : "refused";
        game.offer = { seat, numbers: fact.numbers ?? game.offer?.numbers ?? {}, state, by: fact.other ?? null };
      }
      return;
    case "chosen":
      game[(game.phase?.visibility ?? "public") === "public" ? "tally" : "secret"] = tallyOf(game, fact);
      return;
    case "ended": {
      const text = deal.rules.ends?.find((one) => one.id === name)?.text ?? "The rounds are over.";
      game.ended = { text, winners: fact.seats ?? [] };
    }
  }
}

/**
 * Of others who play only so much is known as was told: not what they have.
 * @param {Game} game
 * @param {number|null} seat
 * @param {string} name
 * @param {number} by
 */
function count(game, seat, name, by) {
  const initial = game.deal.rules.counters?.[name];
  if (seat === null) {
    if (initial !== undefined) game.shared.set(name, (game.shared.get(name) ?? initial) + by);
    return;
  }
  const counters = game.counters.get(seat);
  counters?.set(name, (counters.get(name) ?? 0) + by);
}

/**
 * @param {Game} game
 * @param {Fact} fact
 * @returns {Tally}
 */
function tallyOf(game, fact) {
  /** The last vote of each counts. @type {Map<number, Act>} */
  const last = new Map();
  for (const { seat, act } of game.acts) if (act.verb === fact.name) last.set(seat, act);
  const votes = Object.entries(fact.votes ?? {}).map(([key, count]) => {
    const seat = Number(key);
    return { seat, count, by: [...last].filter(([, act]) => act.target === seat).map(([who]) => who) };
  });
  votes.sort((one, other) => other.count - one.count || one.seat - other.seat);
  return { phase: game.phase, round: game.round, chosen: fact.seats ?? [], votes };
}

/**
 * @param {Deal} deal
 * @param {string} id
 */
function phaseNamed(deal, id) {
  return deal.rules.phases.find((one) => one.id === id) ?? null;
}
