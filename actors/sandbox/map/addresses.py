"""Places as people and models name them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from events.untrusted.safe_text import shortened

_HERE: Final = frozenset(("", "here", "where i am", "where you are", "n/a", "none", "null"))
_SUGGESTED: Final = 12


class UnknownPlace(ValueError):
    """A place that one who names it does not know."""

    def __init__(self, given: str, known: Sequence[str]) -> None:
        listed = "; ".join(known)
        super().__init__(
            f"{shortened(given)!r} is no place that you know; name one as it is written in the list"
            f" of the places you know, such as {listed}"
        )
        self.given, self.known = given, tuple(known)


def address_of(given: str, known: tuple[str, ...], world: str) -> str:
    """The address that is meant; empty: where one stands.

    ``known`` are the places known from the beginning. What has the form of an address, with a
    colon, may be one that was learned since, and is taken as it is: the rules know. Raises
    ``UnknownPlace``.
    """
    text = given.strip().rstrip(".").strip("<>\"'")
    if text.casefold() in _HERE:
        return ""
    by_end = _ends(known)
    key = _key(text)
    own = key.removeprefix(f"{_key(world)}:") if world else key
    for one in (key, own):
        if found := by_end.get(one):
            return found
    if ":" in text:
        address = ":".join(part.strip() for part in text.split(":"))
        return address if not world or address.startswith(f"{world}:") else f"{world}:{address}"
    raise UnknownPlace(given, _like(key, known))


def _key(text: str) -> str:
    return ":".join(" ".join(part.split()) for part in text.casefold().split(":"))


@lru_cache(maxsize=2048)
def _ends(known: tuple[str, ...]) -> dict[str, str]:
    """Places by all that they end with and no other place does; whole addresses first, then by
    what is left of them without the world."""
    found: dict[str, str] = {}
    twice = set[str]()
    for address in known:
        parts = _key(address).split(":")
        for begin in range(1, len(parts)):
            end = ":".join(parts[begin:])
            if begin > 1 and end in found:
                twice.add(end)
            found.setdefault(end, address)
    for end in twice:
        found.pop(end)
    found.update((_key(address).partition(":")[2], address) for address in known if ":" in address)
    found.update((_key(address), address) for address in known)
    return found


def _like(key: str, known: Sequence[str]) -> list[str]:
    from rapidfuzz import process

    plain = [address.partition(":")[2] or address for address in known]
    return [one for one, *_ in process.extract(key, plain, limit=_SUGGESTED)]
