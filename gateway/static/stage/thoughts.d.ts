/** What minds that think conclude: `events/thoughts.py`, as far as pages read it. */

export interface Block {
  start: number;
  minutes: number;
  text: string;
  address?: string;
}

export interface DayPlanned {
  type: "DayPlanned";
  plan?: string[];
  schedule?: Block[];
}

export interface MemoryAdded {
  type: "MemoryAdded";
  kind: "event" | "thought" | "talk";
  text: string;
  at: number;
  importance?: number;
  expires?: number | null;
}

export interface Reflected {
  type: "Reflected";
  questions?: string[];
}

export interface StatusRevised {
  type: "StatusRevised";
  currently: string;
}

export interface TaskPlanned {
  type: "TaskPlanned";
  plan: string;
  checklist: string[];
}

export interface MemoriesRetrieved {
  type: "MemoriesRetrieved";
}

export interface FellBack {
  type: "FellBack";
}

export type Thought =
  | DayPlanned
  | MemoryAdded
  | Reflected
  | StatusRevised
  | TaskPlanned
  | MemoriesRetrieved
  | FellBack;

/** All that one decision led to: `gateway/services/episodes/thoughts.py`. */
export interface Thinking<Action = unknown> {
  turn: number;
  at: number;
  thoughts: Thought[];
  action: Action;
}
