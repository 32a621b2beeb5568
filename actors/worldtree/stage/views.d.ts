/** What a viewer of a walk is told: `actors/worldtree/views.py` and its questions, as far as the piece reads them. */

export interface SeenLine {
  type: "line";
  number: number;
  turn: number;
  text: string;
  chosen?: boolean;
  votes?: number;
}

export interface SeenEntrance {
  type: "entrance";
  number: number;
  turn: number;
}

export interface SeenVote {
  type: "vote";
  number: number;
  turn: number;
  text?: string;
  failure?: string;
}

export type Notice = SeenLine | SeenEntrance | SeenVote;

export interface View {
  protagonist: object;
}

export interface Line {
  text: string;
}

export interface Choose {
  type: "worldtree.Choose";
  options: Line[];
  told?: string;
}
