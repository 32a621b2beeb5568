/** What a viewer of a town is told: `actors/sandbox/views.py` and what it refers to, as far as the piece reads it. */

export type Tile = [number, number];

export interface Did {
  type: "did";
  number: number;
  turn: number;
  at: number;
  seat: number;
  text: string;
  address: string;
  emoji?: string;
  until: number;
  fault?: string;
  tile?: Tile | null;
  way?: string;
}

export interface Person {
  seat: number;
  text: string;
  address: string;
  came?: boolean;
}

export interface Ground {
  address: string;
  inside: string;
  free?: string;
}

export interface Perceived {
  type: "perceived";
  number: number;
  turn: number;
  at: number;
  seat: number;
  seen?: Person[];
  learned?: string[];
  ground?: Ground[];
}

export interface TalkBegun {
  type: "talk_begun";
  number: number;
  turn: number;
  at: number;
  talk: number;
  seats: [number, number];
}

export interface Said {
  type: "said";
  number: number;
  turn: number;
  at: number;
  seat: number;
  text: string;
}

export interface TalkDone {
  type: "talk_done";
  number: number;
  turn: number;
  at: number;
  talk: number;
  seats: [number, number];
  about: string;
  until: number;
}

export interface Recapped {
  type: "recapped";
  number: number;
  turn: number;
  seat: number;
}

export interface Unanswered {
  type: "unanswered";
  number: number;
  turn: number;
  at?: number;
  seat: number;
}

export interface Narrated {
  type: "narrated";
  number: number;
  turn: number;
  at?: number;
  text: string;
}

export type Notice = Did | Perceived | TalkBegun | Said | TalkDone | Recapped | Unanswered | Narrated;

export interface Layer {
  names?: string[];
  runs?: number[];
}

export interface TownMap {
  world: string;
  width: number;
  height: number;
  solid: Layer;
  sectors: Layer;
  arenas: Layer;
  objects: Layer;
}

export interface Goal {
  keyword: string;
  other_keywords?: string[];
}

export interface Task {
  goals: Goal[];
}

export interface View {
  start: string;
  step_s?: number;
  radius?: number;
  full_task?: Task | null;
  map?: TownMap | null;
  known?: string[];
  tiles?: (Tile | null)[];
}

export interface WhatToDo {
  type: "sandbox.WhatToDo";
  why: string;
  met?: number[];
  near?: number[];
}

/** What somebody answered: any of `sandbox.Act`, `sandbox.Say`, …, as far as it is shown. */
export interface Action {
  type: string;
  text?: string;
}

export interface WhatToSay {
  type: "sandbox.WhatToSay";
  left: number;
}
