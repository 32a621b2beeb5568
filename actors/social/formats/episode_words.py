"""Actions in the words of SOTOPIA's episode logs, and back.

``said: "…"``, ``[non-verbal communication] …``, ``[action] …``, ``did nothing`` and
``left the conversation``; ``[private to ['Name']]`` before any of them makes it a whisper. Parting
words, which SOTOPIA does not have, follow as ``, saying: "…"``.
"""

import ast
import re
from collections.abc import Sequence
from typing import Final

from actors.social.actions import Action
from actors.social.views import SeenAction

ENVIRONMENT: Final = "Environment"
"""The sender of what is not an action."""

_NON_VERBAL = "[non-verbal communication] "
_PHYSICAL = "[action] "
_LEFT = "left the conversation"
_NOTHING = "did nothing"
_PRIVATE = "[private to "


class UnknownWords(ValueError):
    """A text that is no action in the words of an episode log."""


def words_of(action: Action | SeenAction, names: Sequence[str]) -> str:
    """An action as an episode log says it; ``names`` are those of the seats."""
    private = f"{_PRIVATE}{[names[seat] for seat in action.to]}] " if action.to else ""
    return private + _plain_words(action)


def action_of(words: str, sender: str, names: Sequence[str]) -> Action:
    """The action that an episode log tells of; the sender's name may stand before it.

    Raises ``UnknownWords``.
    """
    rest = words.lstrip()
    if rest.startswith(f"{sender} "):
        rest = rest.removeprefix(f"{sender} ").lstrip()
    to: tuple[int, ...] = ()
    if rest.startswith(_PRIVATE):
        to, rest = _recipients(rest, names)
    if rest.startswith("said:"):
        return Action(kind="speak", text=_unquoted(rest.removeprefix("said:")), to=to)
    for start, kind in ((_NON_VERBAL, "non_verbal"), (_PHYSICAL, "physical")):
        if rest.startswith(start.rstrip()):
            text = rest.removeprefix(start.rstrip()).removeprefix(" ")
            return Action(kind=kind, text=text, to=to)  # type: ignore[arg-type]
    if re.fullmatch(rf"{_NOTHING}\.?\s*", rest):
        return Action(kind="none")
    left = re.fullmatch(rf"{_LEFT}(?:\.?\s*|, saying:(?P<text>.*))", rest, re.DOTALL)
    if left:
        return Action(kind="leave", text=_unquoted(left["text"] or ""), to=to)
    shown = words if len(words) <= 60 else words[:60] + "…"
    raise UnknownWords(f"{shown!r} is none of SOTOPIA's actions, such as 'said: \"…\"'")


def _plain_words(action: Action | SeenAction) -> str:
    match action.kind:
        case "speak":
            return f'said: "{action.text}"'
        case "non_verbal":
            return _NON_VERBAL + action.text
        case "physical":
            return _PHYSICAL + action.text
        case "leave":
            return f'{_LEFT}, saying: "{action.text}"' if action.text else _LEFT
        case _:
            return _NOTHING


def _unquoted(text: str) -> str:
    text = text.strip()
    quoted = len(text) >= 2 and text[0] == text[-1] == '"'
    return text[1:-1] if quoted else text


def _recipients(words: str, names: Sequence[str]) -> tuple[tuple[int, ...], str]:
    """Seats of a list like ``['A', 'B']``, and the words after it. A name may hold any sign, so
    the list ends at the first bracket where it can be read."""
    for end in re.finditer(r"\]\] ?", words):
        try:
            given = ast.literal_eval(words[len(_PRIVATE) : end.start() + 1])
        except (ValueError, SyntaxError):
            continue
        unknown = [name for name in given if name not in names]
        if unknown:
            raise UnknownWords(f"{unknown[0]!r} is none of those present: {', '.join(names)}")
        return tuple(names.index(name) for name in given), words[end.end() :].lstrip()
    raise UnknownWords("'[private to …' must name its recipients, as in [private to ['Name']]")
