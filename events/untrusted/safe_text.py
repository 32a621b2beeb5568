"""Makes text from any source safe to display.

What is said, named or reasoned may come from a model, a remote program or an imported file, and is
kept exactly as it came. Where it is shown, characters that a terminal or a browser would obey
rather than print are made visible: else a sentence could retitle a window, move the cursor over
what stands above it, or set a name in another order than it has.
"""

import re

_LAYOUT = r"\x7f-\x9f\u2028-\u202e\u2066-\u206f\ud800-\udfff"
"""DEL and C1; bidirectional embeddings, overrides and isolates and the deprecated format characters
beside them; the line and paragraph separators; halves of surrogate pairs. Not the marks (U+061C,
U+200E, U+200F), which Arabic and Hebrew are written with: they turn no letter round."""
_OBEYED = re.compile(rf"[\x00-\x08\x0b-\x1f{_LAYOUT}]")
_OBEYED_IN_JSON = re.compile(rf"[{_LAYOUT}]")


def harmless(text: str) -> str:
    """``text`` with every control character but line feed and tab made visible.

    C0 and DEL become their pictures (``␛``), the others their code as ``[U+202E]``, which stands
    as it is in HTML, too. What comes out goes through again unchanged.
    """
    return text if text.isprintable() else _OBEYED.sub(lambda found: _shown(found[0]), text)


def one_line(text: str) -> str:
    """``harmless``, with any white space as single spaces."""
    return " ".join(harmless(text).split())


def shortened(text: str, most: int = 200) -> str:
    """``one_line``, of at most ``most`` characters: for errors that say what was wrong.

    What is longer loses its middle to an ellipsis; a path, an address or an id is told apart by
    its end, too. Takes no longer for a gigabyte than for a page. Once more changes nothing.
    """
    if len(text) > 8 * most:
        text = f"{text[: 4 * most]}…{text[-4 * most :]}"
    line = one_line(text)
    if len(line) <= most:
        return line
    end = most // 4
    return f"{line[: most - end - 1]}…{line[len(line) - end :]}"


def harmless_json(text: str) -> str:
    """A JSON document that decodes to the same value and holds no character a terminal obeys.

    Encoders escape C0 in strings already; this escapes the others.
    """
    return _OBEYED_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _shown(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"[U+{code:04X}]"
