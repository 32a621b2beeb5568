/** Frames out of what was told in small: the other half of gateway/services/viewers/packed_frames.py. Pure. */

/**
 * What was told, with its frames as the socket would bring them, but for lines whose parts are there.
 * What is given is changed.
 * @param {any} told
 */
export function unpacked(told) {
  let at = 0;
  let turn = 0;
  const all = told.viewer === "narrator" || told.viewer === "judge";
  told.happened = (told.happened ?? []).map((/** @type {any} */ frame, /** @type {number} */ place) => {
    at += frame.at ?? 0;
    turn += frame.turn ?? 0;
    const version = place + 1;
    const number = frame.number ?? (all ? place : undefined);
    const own = { number: number ?? version, turn };
    const filled = (/** @type {any} */ one) => (one && typeof one === "object" ? { ...own, ...one } : one);
    const whole = { type: "Happened", ...frame, version, at, turn };
    if (number !== undefined) whole.number = number;
    if (frame.entries) whole.entries = frame.entries.map(filled);
    if (frame.notices) whole.notices = frame.notices.map(filled);
    return whole;
  });
  return told;
}
