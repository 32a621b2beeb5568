"""Participants' words where others repeat them, sealed as they are where they were said
(``events.privacy.encryption``): in what happens of an action, and in what minds conclude of it.

Only what is word for word can be told from what would have been written anyway. A text that
repeats any phrase of theirs, in a struct that is about them, is sealed whole; in one about anybody
else, only where the phrase is long enough to be a quote.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeVar

import msgspec

from events.base import Event
from events.environments import Action
from events.privacy.encryption import Key, inner_type, listed_in, lists, seal_text, types_of

E = TypeVar("E", bound=Event)
LEAST: Final = 3
"""Characters of a phrase; less is nobody's."""
LONG: Final = 16
"""Characters of a phrase that is told from chance; it has ``WORDS``, too."""
WORDS: Final = 3
NO_WORDS: Final = frozenset({"address", "learned", "places"})
"""Fields that hold places, in no words of anybody's."""
_ENDS: Final = re.compile(r"(?<=[.!?…])\s+|\n+")


class Said:
    """What one participant has said in one seat of an episode."""

    def __init__(self, key: Key, seat: int, name: str, names: Sequence[str] = ()) -> None:
        """``name``: the character's. ``names``: of all, which are no phrases."""
        self.key, self.seat, self.name = key, seat, name
        self._names = frozenset(one.casefold() for one in (name, *names))
        self._phrases: set[str] = set()
        self._any: re.Pattern[str] | None = None
        self._long: re.Pattern[str] | None = None

    def hear(self, action: Action) -> None:
        """They answer with this."""
        texts = (getattr(action, field, "") for field in type(action).said)
        new = {phrase for text in texts if isinstance(text, str) for phrase in _phrases(text)}
        new = {phrase for phrase in new if phrase.casefold() not in self._names}
        if not new <= self._phrases:
            self._phrases |= new
            self._any, self._long = _pattern(self._phrases), _pattern(filter(_long, self._phrases))

    def in_(self, text: str, about: bool) -> bool:
        """Whether a text repeats words of theirs; ``about``: it is about them."""
        pattern = self._any if about else self._long
        return pattern is not None and pattern.search(text) is not None


def with_quotes_sealed(event: E, said: Sequence[Said]) -> E:
    """The event with all texts sealed that repeat what somebody said; of several, under the keys
    of all. It is to be encoded, and good for nothing else."""
    kept: E = _sealed(event, Any, said, frozenset())
    return kept


def _sealed(value: Any, hint: Any, said: Sequence[Said], about: frozenset[int]) -> Any:
    match value:
        case str():
            if lists(hint, value):
                return value
            kept: Any = value
            for number, one in enumerate(said):
                if one.in_(value, number in about):
                    kept = seal_text(kept, one.key)
            return kept
        case msgspec.Struct():
            about, hints = _about(value, said, about), types_of(type(value))
            changed, no_words = {}, NO_WORDS.union(listed_in(value))
            for name in value.__struct_fields__:
                given = getattr(value, name)
                if name not in no_words and isinstance(
                    given, str | tuple | list | dict | msgspec.Struct
                ):
                    after = _sealed(given, hints[name], said, about)
                    if after is not given:
                        changed[name] = after
            return msgspec.structs.replace(value, **changed) if changed else value
        case tuple() | list():
            inner = inner_type(hint)
            several = [_sealed(one, inner, said, about) for one in value]
            same = all(one is before for one, before in zip(several, value, strict=True))
            return value if same else tuple(several)
        case dict():
            found = {name: _sealed(one, Any, said, about) for name, one in value.items()}
            return value if all(found[name] is value[name] for name in value) else found
    return value


def _about(value: Any, said: Sequence[Said], above: frozenset[int]) -> frozenset[int]:
    """Whom of those who said something a struct is about; where it does not say: whom the one that
    it is in is about."""
    seats = getattr(value, "seats", None)
    if not isinstance(seats, tuple):
        seats = (value.seat,) if isinstance(getattr(value, "seat", None), int) else ()
    subject = getattr(value, "subject", "")
    if not seats and not subject:
        return above
    return frozenset(
        number
        for number, one in enumerate(said)
        if one.seat in seats or (subject and one.name == subject)
    )


def _phrases(text: str) -> Iterable[str]:
    """A text and its sentences, without what they end with."""
    for part in (text, *_ENDS.split(text)):
        phrase = part.strip(" \t\n.,;:!?…\"'“”‘’")
        if len(phrase) >= LEAST:
            yield phrase


def _long(phrase: str) -> bool:
    return len(phrase) >= LONG and len(phrase.split()) >= WORDS


def _pattern(phrases: Iterable[str]) -> re.Pattern[str] | None:
    listed = sorted(phrases, key=len, reverse=True)
    if not listed:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, listed))})(?!\w)", re.IGNORECASE)
