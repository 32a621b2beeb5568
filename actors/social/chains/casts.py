"""Who meets in chains: casts drawn from a catalog, or named and put together."""

import itertools
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from actors.social.catalog_items import Catalog, Character, Relationship, RelationshipKind
from events.ids import derived_number

_LOOKED_AT: Final = 20_000
"""Orders of characters that a draw looks at; where a catalog has more, some are drawn first."""


class Cast(NamedTuple):
    """Characters in the order of their seats, and how they stand to each other."""

    characters: tuple[Character, ...]
    relationships: tuple[str, ...]
    """Ids; two characters without one are strangers."""
    kinds: frozenset[RelationshipKind]
    """What the characters are to each other, two by two."""

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(character.id for character in self.characters)


class RelationshipGraph:
    """Who knows whom in a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.characters = catalog.characters
        self._between: dict[frozenset[str], list[Relationship]] = defaultdict(list)
        for relationship in catalog.relationships:
            self._between[frozenset(relationship.characters)].append(relationship)

    def casts(self, characters: Sequence[Character]) -> Iterator[Cast]:
        """The cast of some characters in this order: several where two of them stand to each
        other in several ways."""
        ways: list[Sequence[Relationship | None]] = []
        for one, other in itertools.combinations(characters, 2):
            ways.append(self._between.get(frozenset((one.id, other.id))) or (None,))
        for chosen in itertools.product(*ways):
            known = [relationship for relationship in chosen if relationship is not None]
            kinds = {relationship.kind for relationship in known}
            if len(known) < len(chosen):
                kinds.add(RelationshipKind.STRANGER)
            ids = tuple(relationship.id for relationship in known)
            yield Cast(tuple(characters), ids, frozenset(kinds))

    def draw(self, seats: int, count: int, seed: int, rate: Callable[[Cast], int]) -> list[Cast]:
        """Up to ``count`` casts of different characters, those rated highest first, and by lot
        where they are rated alike. What is rated 0 is not drawn.

        A lot is a digest of the seed and of who is drawn, as in ``actors.social.catalog.sampling``:
        a character added to the catalog changes a draw only where it is drawn itself.
        """
        best: dict[frozenset[str], tuple[tuple[int, int, tuple[str, ...]], Cast]] = {}
        for some in self._combinations(seats, seed):
            for order in itertools.permutations(some):
                for cast in self.casts(order):
                    rating = rate(cast)
                    if rating:
                        words = (*cast.ids, *cast.relationships)
                        place = (-rating, derived_number(str(seed), *words), words)
                        key = frozenset(cast.ids)
                        if key not in best or place < best[key][0]:
                            best[key] = place, cast
        ranked = sorted(best.values(), key=lambda placed: placed[0])
        return [cast for _, cast in ranked[:count]]

    def _combinations(self, seats: int, seed: int) -> Iterator[tuple[Character, ...]]:
        """All ways to choose so many characters, or some of them where there are very many."""
        most = _LOOKED_AT // math.factorial(seats) + 1
        if math.comb(len(self.characters), seats) <= most:
            yield from itertools.combinations(self.characters, seats)
            return
        dice = random.Random(seed)  # noqa: S311 - a draw that can be repeated, no secret
        for _ in range(most):
            yield tuple(dice.sample(self.characters, seats))
