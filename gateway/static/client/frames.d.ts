/**
 * What the websocket carries, for who writes against it: `gateway/services/viewers/frames.py` says what
 * each field means, and a test holds these names to it. A field with a `?` has a default, and may be
 * left out. `Setup`, `Notice` and `Question` are the environment's own.
 */

export interface Portrait {
  seat: number;
  name: string;
  facts?: [string, string][];
  brief?: string[];
  goal?: string;
  secret?: string;
}

export interface Scene<Setup = unknown> {
  situation: string;
  portraits: Portrait[];
  relationships?: string[];
  notes?: [string, string][];
  opening?: Setup;
}

export interface Seated {
  seat: number;
  mind: string;
  kind: string;
  participant?: string;
  waiting?: boolean;
}

export interface Entry {
  number: number;
  turn: number;
  seat?: number | null;
  who?: string;
  kind?: string;
  text?: string;
  line: string;
  to?: number[];
  failed?: string;
  note?: string;
  verb?: string;
  idle?: boolean;
  when?: string;
}

export interface Happened<Notice = unknown> {
  type: "Happened";
  version: number;
  number?: number | null;
  tag?: string;
  at: number;
  turn: number;
  entries?: Entry[];
  notices?: Notice[];
  waiting?: number[];
  seats?: Seated[] | null;
  paused?: boolean;
  proposed?: Entry[];
  by?: string;
  unnoticed?: boolean;
  ended?: string;
  ending?: string;
  detail?: string;
}

export interface Welcome {
  type: "Welcome";
  protocol?: number;
  episode: string;
  viewer: string;
  seat?: number | null;
  environment: string;
  stage_piece?: boolean;
  title?: string;
  version: number;
  scene?: Scene | null;
  happened?: Happened[];
  more?: boolean;
  heartbeat_s: number;
}

export interface Happenings {
  type: "Happenings";
  happened: Happened[];
  more?: boolean;
}

export interface PosedQuestion<Question = unknown> {
  id?: number;
  question: Question;
  text?: string;
  options?: [string, string][];
  hint?: string;
  answer_schema?: Record<string, unknown> | null;
}

export interface AskedNow {
  type: "AskedNow";
  turn: number;
  questions?: PosedQuestion[];
  until?: number | null;
  nudge?: boolean;
  missed?: number;
}

export interface SeatState {
  type: "SeatState";
  mine: boolean;
  free?: boolean;
  may_take?: boolean;
}

export interface Standing {
  type: "Standing";
  waits?: string;
}

export interface TypingNow {
  type: "TypingNow";
  seat: number;
}

export interface Done {
  type: "Done";
  ref: number;
  before?: boolean;
}

export interface NotDone {
  type: "NotDone";
  ref: number;
  code: string;
  reason: string;
}

export interface Leaving {
  type: "Leaving";
  reason: "restart" | "slow" | "expired";
  after_s?: number;
}

export interface Ping {
  type: "Ping";
}

export type ServerFrame =
  | Welcome
  | Happened
  | Happenings
  | AskedNow
  | SeatState
  | Standing
  | TypingNow
  | Done
  | NotDone
  | Leaving
  | Ping;

export interface Hello {
  type: "Hello";
  token?: string;
  episode: string;
  viewer?: string;
  version?: number;
}

export interface Act {
  type: "Act";
  ref: number;
  turn: number;
  question?: number;
  answer?: unknown;
  text?: string;
}

export interface TakeMySeat {
  type: "TakeMySeat";
  ref: number;
  seat?: number | null;
}

export interface LeaveMySeat {
  type: "LeaveMySeat";
  ref: number;
  seat?: number | null;
}

export interface Direct {
  type: "Direct";
  ref: number;
  what: "pause" | "step" | "go_on" | "stop" | "narrate" | "edit";
  text?: string;
  seats?: number[];
  seat?: number | null;
  turn?: number;
  question?: number;
  answer?: unknown;
}

export interface Typing {
  type: "Typing";
}

export interface Pong {
  type: "Pong";
}

/** What is sent under a `ref` and answered by `Done` or `NotDone`. */
export type Wish = Act | TakeMySeat | LeaveMySeat | Direct;

export type ClientFrame = Hello | Wish | Typing | Pong;

/** An answer as `Act` and `Direct` carry it. */
export type Answer = Pick<Act, "answer" | "text">;
