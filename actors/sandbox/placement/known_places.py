"""Reads addresses as models write them: an exact match, or a name that only one known place has."""

from collections.abc import Iterable, Sequence
from typing import Final

from actors.models.errors import Unreadable
from events.untrusted.safe_text import shortened

MOST_LISTED: Final = 60
"""Rooms that a prompt lists."""
MOST_OBJECTS: Final = 24
"""Objects of a room that a prompt lists."""


class KnownPlaces:
    """The places that one knows. Only grows."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.known: dict[str, None] = {}
        self._by_name: dict[str, set[str]] = {}
        self.learn(known)

    def learn(self, addresses: Iterable[str]) -> None:
        """Know more of them; whatever a place is part of is known with it."""
        for address in addresses:
            parts = address.split(":")
            for size in range(1, len(parts) + 1):
                whole = ":".join(parts[:size])
                if whole in self.known:
                    continue
                self.known[whole] = None
                if size == 1:
                    continue  # a whole world is no place to go to
                for start in range(size):
                    self._by_name.setdefault(_simple(":".join(parts[start:size])), set()).add(whole)

    def match(self, text: str) -> str:
        """The known place that a text names: its address, or the end of it, in any case, where only
        one ends so. Raises ``Unreadable`` with what would be right."""
        text = text.strip()
        if text in self.known and ":" in text:
            return text
        found: set[str] = self._by_name.get(_simple(text), set())
        if len(found) == 1:
            return next(iter(found))
        if found:
            some = "; ".join(sorted(found)[:4])
            raise Unreadable(
                f"{shortened(text)!r} can be several places ({some}); give the whole address", text
            )
        raise Unreadable(
            f"{shortened(text)!r} is no place you know; take one of the list, as it is written "
            "there",
            text,
        )

    def sectors(self) -> list[str]:
        """World and sector of each."""
        return [address for address in self.known if address.count(":") == 1]

    def inside(self, address: str) -> list[str]:
        """The known places directly in one."""
        depth = address.count(":") + 1
        return [
            place
            for place in self.known
            if place.count(":") == depth and place.startswith(f"{address}:")
        ]

    def rooms(self, near: Sequence[str], text: str) -> list[tuple[str, list[str]]]:
        """World, sector and arena of known rooms, with what is in each: those of ``near``
        addresses, then those a text names, then others, ``MOST_LISTED`` at most, in the order in
        which they came to be known."""
        rooms = [address for address in self.known if address.count(":") == 2]
        if len(rooms) > MOST_LISTED:
            words = _simple(text)
            sectors = {":".join(address.split(":")[:2]) for address in near}
            ranked = sorted(
                rooms,
                key=lambda room: (
                    0
                    if room.rpartition(":")[0] in sectors
                    else 1
                    if any(_simple(name) in words for name in room.split(":")[1:])
                    else 2
                ),
            )
            chosen = set(ranked[:MOST_LISTED])
            rooms = [room for room in rooms if room in chosen]
        objects: dict[str, list[str]] = {room: [] for room in rooms}
        for address in self.known:
            room, _, name = address.rpartition(":")
            if room in objects and len(objects[room]) < MOST_OBJECTS:
                objects[room].append(name)
        return list(objects.items())


def _simple(text: str) -> str:
    return ":".join(" ".join(part.split()) for part in text.casefold().split(":"))
