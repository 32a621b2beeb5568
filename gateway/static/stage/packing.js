/** Frames out of what was told in small: the other half of gateway/services/viewers/packed_frames.py. Pure. */

/** @import { Happened, Scene } from "../client/frames.js" */

/**
 * An episode as one viewer was told of it.
 * @typedef {object} Story
 * @property {string|number} viewer  `narrator`, `spectator`, `judge`, or a seat from 0
 * @property {Scene} scene
 * @property {Happened[]} happened
 * @property {number[]|null} [numbers]  of the events behind each of `happened`, for those who may know
 *
 * @typedef {Omit<Story, "happened"> & {happened?: Partial<Happened>[]}} PackedStory
 */

/**
 * What was told, with its frames as the socket would bring them, but for lines whose parts are there.
 * @param {PackedStory} packed
 * @returns {Story}
 */
export function unpacked(packed) {
  let at = 0;
  let turn = 0;
  const all = packed.viewer === "narrator" || packed.viewer === "judge";
  const happened = (packed.happened ?? []).map((frame, place) => {
    at += frame.at ?? 0;
    turn += frame.turn ?? 0;
    const version = place + 1;
    const number = frame.number ?? (all ? place : undefined);
    const own = { number: number ?? version, turn };
    /** @type {Happened} */
    const whole = { ...frame, type: "Happened", version, at, turn };
    if (number !== undefined) whole.number = number;
    if (frame.entries) whole.entries = frame.entries.map((one) => ({ ...own, ...one }));
    if (frame.notices) whole.notices = frame.notices.map((one) => (one && typeof one === "object" ? { ...own, ...one } : one));
    return whole;
  });
  return { ...packed, happened };
}
