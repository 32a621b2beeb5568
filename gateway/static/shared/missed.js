/**
 * That turns passed because a person did not answer in time, as they are told; empty: none did.
 * @param {number} missed  how many in a row
 */
export function missedWords(missed) {
  if (!missed) return "";
  const which = missed > 1 ? `${missed} turns in a row have` : "your turn has";
  return `You did not answer in time: ${which} passed without you. You still have your seat.`;
}
