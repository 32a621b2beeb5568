/** What a viewer of an episode is told: `actors/social/views.py`, as far as the piece reads it. */

export interface SeenAction {
  number: number;
  turn: number;
  seat: number;
  label: string;
  kind: string;
  text: string;
  to?: number[];
  failure?: string;
}

export interface Profile {
  seat: number;
  label: string;
}

export interface SeenRelationship {
  seats: [number, number];
  kind: string;
}

export interface View {
  profiles: Profile[];
  bonds: SeenRelationship[];
}
