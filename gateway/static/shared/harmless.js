/**
 * Text from anybody, made fit to be shown: the twin of `events/untrusted/safe_text.py`.
 *
 * `textContent` keeps markup from being obeyed; this keeps control and bidirectional characters from
 * it, which would set a name in another order than it has.
 */

// Not the marks (U+061C, U+200E, U+200F), which Arabic and Hebrew are written with.
const OBEYED =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * The text with every control character but line feed and tab made visible.
 * @param {unknown} text
 * @returns {string}
 */
export function harmless(text) {
  return String(text ?? "").replace(OBEYED, shown);
}

/** @param {string} character */
function shown(character) {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}
