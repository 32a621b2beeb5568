"""Tasks by constraint sampling: which pairs play a scenario (SOTOPIA, section 2.1 and appendix).

For each scenario, pairs of characters are drawn whose relationship it allows and who satisfy its
ages and occupations in some order of the seats. The draw is a digest of the seed and of what is
drawn, so that it is the same everywhere, and so that a pair added to the catalog changes it only
where that pair is drawn itself.
"""

import hashlib
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog.misfits import kind_fits, seat_misfits
from actors.social.catalog_items import Catalog, Character, RelationshipKind, Scenario, Task
from events.ids import derived_id

PAIRS: Final = 5
"""Pairs a scenario in SOTOPIA."""

TASK = "t"
"""First letter of the ids of sampled tasks."""


class Shortfall(NamedTuple):
    """A scenario that could not be cast as often as asked."""

    scenario: str
    asked: int
    found: int
    reason: str

    def __str__(self) -> str:
        return (
            f"scenario {self.scenario!r} was cast {self.found} times instead of {self.asked}:"
            f" {self.reason}"
        )


class TaskSample(NamedTuple):
    """Sampled tasks, in the order of the scenarios, and what is missing."""

    tasks: tuple[Task, ...]
    shortfalls: tuple[Shortfall, ...]


class _Pair(NamedTuple):
    characters: tuple[Character, Character]
    kind: RelationshipKind
    relationship: str
    """Empty for two who have none and so are strangers."""


def sample_tasks(catalog: Catalog, *, seed: int, pairs: int = PAIRS) -> TaskSample:
    """``pairs`` different pairs for every scenario of two seats, each pair once and in one order.

    The same catalog and seed give the same tasks. Two characters without a relationship are
    strangers.
    """
    candidates = tuple(_pairs(catalog))
    tasks: list[Task] = []
    shortfalls = []
    for scenario in catalog.scenarios:
        if scenario.needs:
            reason = "it needs facts of earlier episodes, which only a chain has"
            shortfalls.append(Shortfall(scenario.id, pairs, 0, reason))
            continue
        if len(scenario.goals) != 2:
            reason = f"it has {len(scenario.goals)} seats, and pairs fill two"
            shortfalls.append(Shortfall(scenario.id, pairs, 0, reason))
            continue
        drawn = _draw(scenario, candidates, seed, pairs)
        tasks += drawn
        if len(drawn) < pairs:
            reason = _why_few(scenario, candidates)
            shortfalls.append(Shortfall(scenario.id, pairs, len(drawn), reason))
    return TaskSample(tuple(tasks), tuple(shortfalls))


def _pairs(catalog: Catalog) -> Iterator[_Pair]:
    """Every relationship, and every two characters who have none."""
    index = CatalogIndex(catalog)
    related = set()
    for relationship in catalog.relationships:
        one, other = relationship.characters
        related.add(frozenset((one, other)))
        characters = (index.characters[one], index.characters[other])
        yield _Pair(characters, relationship.kind, relationship.id)
    for two in itertools.combinations(catalog.characters, 2):
        if frozenset(character.id for character in two) not in related:
            yield _Pair(two, RelationshipKind.STRANGER, "")


def _draw(
    scenario: Scenario, candidates: tuple[_Pair, ...], seed: int, pairs: int
) -> tuple[Task, ...]:
    orders = defaultdict(list)
    for pair in candidates:
        for cast in (pair.characters, pair.characters[::-1]):
            if kind_fits(scenario, pair.kind) and _satisfied(scenario, cast):
                task = _task(scenario, cast, pair)
                orders[frozenset(task.characters)].append((_lot(seed, task), task))
    # One order, and one relationship where a pair has several, stands for each pair.
    chosen = sorted(min(found) for found in orders.values())[:pairs]
    return tuple(task for _, task in chosen)


def _satisfied(scenario: Scenario, cast: tuple[Character, ...]) -> bool:
    return not any(seat_misfits(scenario, seat, who) for seat, who in enumerate(cast))


def _task(scenario: Scenario, cast: tuple[Character, ...], pair: _Pair) -> Task:
    characters = tuple(character.id for character in cast)
    return Task(
        id=derived_id(TASK, scenario.id, *characters, pair.relationship),
        scenario=scenario.id,
        characters=characters,
        relationships=(pair.relationship,) if pair.relationship else (),
        tags=tuple(dict.fromkeys((*scenario.tags, str(pair.kind), "sampled"))),
    )


def _lot(seed: int, task: Task) -> tuple[bytes, str]:
    """Where the draw puts a task; its id settles a tie."""
    word = f"{seed}:{task.id}".encode()
    return hashlib.blake2b(word, digest_size=8).digest(), task.id


def _why_few(scenario: Scenario, candidates: tuple[_Pair, ...]) -> str:
    fitting = [pair for pair in candidates if kind_fits(scenario, pair.kind)]
    allowed = " or ".join(scenario.relationships) or "of any kind"
    failing = Counter(
        misfit.constraint
        for pair in fitting
        for seat, who in enumerate(pair.characters)
        for misfit in seat_misfits(scenario, seat, who)
    )
    rest = ", ".join(f"{constraint} rules out some" for constraint in sorted(failing))
    return f"{len(fitting)} pairs are {allowed}" + (f"; {rest}" if rest else "")
