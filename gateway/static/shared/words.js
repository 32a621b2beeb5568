/** Words that several pages say. Pure. */

/**
 * A text as a sentence: a capital first, a full stop at its end.
 * @param {string} text
 */
export function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /(^|[.!?…])$/.test(whole) ? whole : `${whole}.`;
}

/**
 * What went wrong, in words.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Names in a row: `Ada`, `Ada and Ben`, `Ada, Ben and Cy`.
 * @param {string[]} names
 */
export function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
}

/**
 * Who is at it: `Ada is writing`, `Ada and Ben are writing`; empty: nobody.
 * @param {string[]} names
 * @param {string} what  `writing`, `asked`
 */
export function doing(names, what) {
  return names.length ? `${listed(names)} ${names.length > 1 ? "are" : "is"} ${what}` : "";
}

/**
 * A number with what is counted.
 * @param {number} count
 * @param {string} what  one of it
 */
export function counted(count, what) {
  return `${whole(count)} ${what}${count === 1 ? "" : "s"}`;
}

/**
 * A whole number, thousands apart.
 * @param {number} number
 */
export function whole(number) {
  return number.toLocaleString("en").replaceAll(",", "\u202f");
}

/**
 * Seconds as a clock has them: `1:02`.
 * @param {number} seconds
 */
export function minutesOf(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;
}

/**
 * A name's first letters, in capitals; words without a letter or a digit do not count.
 * @param {string} name
 */
export function initials(name) {
  const parts = name.split(/\s+/).filter((part) => /\p{L}|\p{N}/u.test(part));
  const last = parts.length > 1 ? parts.at(-1) : "";
  return `${[...(parts[0] ?? "?")][0]}${[...(last ?? "")][0] ?? ""}`.toUpperCase();
}

/**
 * That turns passed because a person did not answer in time, as they are told; empty: none did.
 * @param {number} missed  how many in a row
 */
export function missedWords(missed) {
  if (!missed) return "";
  const which = missed > 1 ? `${missed} turns in a row have` : "your turn has";
  return `You did not answer in time: ${which} passed without you. You still have your seat.`;
}
