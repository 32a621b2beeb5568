// From the frames of a socket to what a page shows: a pure function, in the browser as in Node.
// `gateway/client/page_state.py` does the same in Python; both are held to the same golden files.

/** @import { AskedNow, Entry, Happened, Scene, Seated, ServerFrame, Welcome } from "./frames.js" */

/**
 * What a page knows of an episode. Names are those of the frames (see /api/asyncapi.json).
 *
 * @typedef {object} PageState
 * @property {string} episode its id
 * @property {string} viewer `narrator`, `spectator` or `seat`
 * @property {number|null} seat which seat, from 0
 * @property {string} environment
 * @property {boolean} stage_piece whether the environment draws a picture of its own
 * @property {string} title
 * @property {number} version of the last thing that was told
 * @property {Scene|null} scene what is known before the first turn
 * @property {Happened[]} happened every `Happened`, in order
 * @property {Entry[]} entries what was noticed, in words, in order
 * @property {number} turn the last turn opened
 * @property {number[]} waiting the seats that are asked, as far as the viewer may know
 * @property {Seated[]} seats who sits where; for those who know everything
 * @property {boolean} paused
 * @property {Entry[]} proposed what minds answered while it was paused
 * @property {string} ended the ending's name; empty while it goes on
 * @property {string} ending the ending, as half a sentence
 * @property {string} detail more about it
 * @property {(AskedNow & Required<Pick<AskedNow, "questions">>)|null} asked what the viewer's seat is
 *   asked; null: nothing
 * @property {number} missed turns in a row that passed because the viewer did not answer in time
 * @property {boolean} mine the viewer sits in the seat and may act
 * @property {boolean} free nobody sits there who would act
 * @property {boolean} may_take the seat may be taken
 * @property {string} waits why nothing happens, where that is no seat's doing
 * @property {number[]} typing the seats that were heard writing since they last did something
 */

/** @type {Readonly<PageState>} */
export const NOTHING = Object.freeze({
  episode: "",
  viewer: "",
  seat: null,
  environment: "",
  stage_piece: false,
  title: "",
  version: 0,
  scene: null,
  happened: [],
  entries: [],
  turn: 0,
  waiting: [],
  seats: [],
  paused: false,
  proposed: [],
  ended: "",
  ending: "",
  detail: "",
  asked: null,
  missed: 0,
  mine: false,
  free: false,
  may_take: false,
  waits: "",
  typing: [],
});

/** Some `Happened` were lost on the way: connect again with the last version. */
export class Gap extends Error {
  /**
   * @param {number} version the last that was known
   * @param {number} found the one that came
   */
  constructor(version, found) {
    super(`version ${found} came behind ${version}`);
    this.name = "Gap";
    this.version = version;
    this.found = found;
  }
}

/**
 * The state after one more frame. Neither is changed; what was known already changes nothing.
 *
 * @param {PageState} state
 * @param {ServerFrame} frame
 * @returns {PageState}
 * @throws {Gap}
 */
export function reduce(state, frame) {
  switch (frame.type) {
    case "Welcome":
      return happen(welcome(state, frame), frame.happened ?? []);
    case "Happened":
      return happen(state, [frame]);
    case "Happenings":
      return happen(state, frame.happened);
    case "AskedNow":
      return {
        ...state,
        asked: frame.questions?.length ? { ...frame, questions: frame.questions } : null,
        missed: frame.missed ?? 0,
      };
    case "SeatState":
      return {
        ...state,
        mine: frame.mine,
        free: frame.free ?? false,
        may_take: frame.may_take ?? false,
      };
    case "Standing":
      return { ...state, waits: frame.waits ?? "" };
    case "TypingNow":
      return state.typing.includes(frame.seat)
        ? state
        : { ...state, typing: [...state.typing, frame.seat] };
    default:
      return state;
  }
}

/** @param {PageState} state @param {Welcome} frame @returns {PageState} */
function welcome(state, frame) {
  const known = frame.scene ? NOTHING : state;
  return {
    ...known,
    episode: frame.episode,
    viewer: frame.viewer,
    seat: frame.seat ?? null,
    environment: frame.environment,
    stage_piece: frame.stage_piece ?? false,
    title: frame.title ?? "",
    scene: frame.scene ?? state.scene,
    waits: "",
    typing: [],
  };
}

/** @param {PageState} state @param {Happened[]} found @returns {PageState} */
function happen(state, found) {
  const fresh = found.filter((one) => one.version > state.version);
  if (!fresh.length) return state;
  fresh.forEach((one, place) => {
    const before = state.version + place;
    if (one.version !== before + 1) throw new Gap(before, one.version);
  });
  const last = fresh[fresh.length - 1];
  const entries = fresh.flatMap((one) => one.entries ?? []);
  const acted = new Set(entries.map((entry) => entry.seat));
  return {
    ...state,
    version: last.version,
    happened: state.happened.concat(fresh),
    entries: state.entries.concat(entries),
    turn: last.turn,
    waiting: last.waiting ?? [],
    seats: fresh.findLast((one) => one.seats)?.seats ?? state.seats,
    paused: last.paused ?? false,
    proposed: last.proposed ?? [],
    ended: last.ended ?? "",
    ending: last.ending ?? "",
    detail: last.detail ?? "",
    typing: last.ended ? [] : state.typing.filter((seat) => !acted.has(seat)),
  };
}
