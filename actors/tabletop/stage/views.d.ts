/** What a viewer of a session is told: `actors/tabletop/sight.py` and its questions, as far as the piece reads them. */

export interface MoveSeen {
  type: "moved";
  number: number;
  turn: number;
  seat: number;
  text?: string;
  deed?: string;
}

export interface AnswerSeen {
  type: "told";
  number: number;
  turn: number;
  seat: number;
}

export type Notice = MoveSeen | AnswerSeen;

export interface CharacterSheet {
  name: string;
  race: string;
  role: string;
}

export interface Session {
  characters: CharacterSheet[];
  settings?: { turns?: number; turn?: "move" | "round" };
}

export interface View {
  setup: Session;
}

export interface Move {
  type: "tabletop.Move";
  move: number;
  of: number;
}

export interface AskLearned {
  type: "tabletop.AskLearned";
  moment: "before" | "after";
  topic: string;
}
