"""Which pairs of a catalog's characters a scenario of two seats allows, all of them at once."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actors.social.catalog.misfits import Constraint, kind_fits, seat_misfits
from actors.social.catalog_items import Catalog, Character, RelationshipKind, Scenario
from events.ids import derived_number

Places = NDArray[np.int64]
"""Places in ``PairTable.entries``."""

_KINDS: Final = tuple(RelationshipKind)


class CastPair(NamedTuple):
    """Two characters in the order of their seats, and how they stand to each other."""

    characters: tuple[str, str]
    """Ids."""
    kind: RelationshipKind
    relationship: str
    """Its id; empty for two who have none and so are strangers."""


class PairTable:
    """The pairs of a catalog. Each has two entries for each of its relationships: one order of the
    seats at an even place, and the other at the odd place behind it."""

    def __init__(self, catalog: Catalog, ignore: Collection[Constraint] = ()) -> None:
        """``ignore``: constraints that no pair is held to."""
        self.ignored = frozenset(ignore)
        self._people = {who.id: who for who in catalog.characters}
        self.entries: Sequence[CastPair] = list(_cast_pairs(catalog, self._people))
        number = {id_: place for place, id_ in enumerate(self._people)}
        seats = [[number[id_] for id_ in one.characters] for one in self.entries]
        self._seats = np.array(seats, dtype=np.int64).reshape(-1, 2)
        self._kinds = np.array([_KINDS.index(one.kind) for one in self.entries], dtype=np.int64)
        self._pairs = self._seats.min(axis=1) * len(self._people) + self._seats.max(axis=1)
        self._fit: dict[Any, NDArray[np.bool_]] = {}

    def lots(self, seed: int) -> Places:
        """A number for each entry, 0 to 2**31 - 1, that no other has a part in."""
        return np.array(
            [derived_number(str(seed), *one.characters, one.relationship) for one in self.entries],
            dtype=np.int64,
        )

    def fitting(self, scenario: Scenario) -> Places:
        """The entries that a scenario of two seats allows."""
        allowed = self._allowed(scenario)[self._kinds]
        for seat in range(2):
            allowed &= self._seat(scenario, seat)[self._seats[:, seat]]
        return np.flatnonzero(allowed)

    def pairs(self, places: Places) -> int:
        """How many pairs some entries are of."""
        return len(np.unique(self._pairs[places]))

    def first_of_pairs(self, places: Places, most: int) -> Places:
        """Of some entries the first of each pair, for up to ``most`` pairs."""
        _, first = np.unique(self._pairs[places], return_index=True)
        return places[np.sort(first)[:most]]

    def with_other_orders(self, places: Places, fitting: Places) -> Places:
        """Some entries, each with its other order behind it where that is among the fitting."""
        both = np.stack([places, places ^ 1], axis=1).ravel()
        return both[np.isin(both, fitting)]

    def misfits(self, scenario: Scenario, seat: int, character: str) -> list[Constraint]:
        """What of a seat's constraints somebody does not satisfy, but for those ignored."""
        found = seat_misfits(scenario, seat, self._people[character])
        return [one.constraint for one in found if one.constraint not in self.ignored]

    def _allowed(self, scenario: Scenario) -> NDArray[np.bool_]:
        """Whether each kind of relationship is."""
        every = "relationship" in self.ignored
        return np.array([every or kind_fits(scenario, kind) for kind in _KINDS])

    def _seat(self, scenario: Scenario, seat: int) -> NDArray[np.bool_]:
        """Whether each character may sit there; what asks for the same shares the answer."""
        asked = (scenario.ages[seat : seat + 1], scenario.occupations[seat : seat + 1])
        if asked not in self._fit:
            fit = [not self.misfits(scenario, seat, id_) for id_ in self._people]
            self._fit[asked] = np.array(fit, dtype=np.bool_)
        return self._fit[asked]


def _cast_pairs(catalog: Catalog, people: dict[str, Character]) -> Iterator[CastPair]:
    """Every relationship between characters that are there, and every two who have none."""
    related = set()
    for relationship in catalog.relationships:
        one, other = relationship.characters
        related.add(frozenset((one, other)))
        if one in people and other in people:
            yield from _both_orders(one, other, relationship.kind, relationship.id)
    for one, other in combinations(people, 2):
        if frozenset((one, other)) not in related:
            yield from _both_orders(one, other, RelationshipKind.STRANGER, "")


def _both_orders(
    one: str, other: str, kind: RelationshipKind, relationship: str
) -> tuple[CastPair, CastPair]:
    return (
        CastPair((one, other), kind, relationship),
        CastPair((other, one), kind, relationship),
    )
