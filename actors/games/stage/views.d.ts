/** What a viewer of a game is told: `actors/games/sight.py`, `setup.py` and `ruleset.py`, as far as the piece reads them. */

export type Heard = "public" | "team" | "self" | "named";

export interface Act {
  verb?: string;
  target?: number | null;
  numbers?: Record<string, number>;
  word?: string;
  text?: string;
  to?: number | null;
}

export interface ActSeen {
  type: "acted";
  number: number;
  turn: number;
  seat: number;
  phase: string;
  round?: number;
  act: Act;
  failed?: string;
}

export interface Fact {
  kind: string;
  to?: number[] | null;
  seat?: number | null;
  other?: number | null;
  name?: string;
  word?: string;
  amount?: number;
  numbers?: Record<string, number>;
  seats?: number[];
  votes?: Record<string, number>;
}

export interface FactSeen {
  type: "happened";
  number: number;
  turn: number;
  fact: Fact;
}

export type Notice = ActSeen | FactSeen;

export interface SeatFilter {
  roles?: string[];
  teams?: string[];
  not_teams?: string[];
  status?: "in" | "out" | "any";
  marked?: string;
  unmarked?: string;
}

export interface Effect {
  do: string;
  counter?: string;
}

export interface Verb {
  id: string;
  says?: boolean;
  when?: unknown;
  costs?: Record<string, number>;
  target?: SeatFilter | null;
  effects?: Effect[];
}

export interface Phase {
  id: string;
  title: string;
  who?: SeatFilter;
  order?: "turns" | "together";
  repeat?: number;
  visibility?: Heard;
  until?: unknown;
  verbs?: Verb[];
  effects?: Effect[];
}

export interface Role {
  id: string;
  name: string;
  team: string;
  counters?: Record<string, number>;
}

export interface Rules {
  title: string;
  roles: Role[];
  counters?: Record<string, number>;
  phases: Phase[];
  ends?: { id: string; text: string }[];
}

export interface Card {
  role: string;
  goal: string;
  secret?: string;
  knows?: { seat: number; role: string }[];
}

export interface Deal {
  rules: Rules;
  players: { name: string; about?: string }[];
  cards: (Card | null)[];
  settings?: { talk?: number | null };
}

export interface View {
  setup: Deal;
}

export interface NumberRange {
  id: string;
  text: string;
  low: number;
  high: number;
}

export interface ActOption {
  verb: string;
  text: string;
  says?: boolean;
  direct?: number[];
  targets?: number[];
  numbers?: NumberRange[];
  words?: string[];
}

export interface Decide {
  type: "games.Decide";
  phase: string;
  title: string;
  text?: string;
  round?: number;
  together?: boolean;
  heard?: Heard;
  options: ActOption[];
}
