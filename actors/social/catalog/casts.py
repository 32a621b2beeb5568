"""Who stands how to whom in a catalog: the relationships of a cast, and who could play what."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice
from typing import Final

from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog.misfits import kind_fits, seat_misfits
from actors.social.catalog_items import Catalog, Relationship, RelationshipKind, Scenario
from events.base import replace

_CANDIDATES: Final = 10_000
"""Pairs that are tried for a scenario, so that a check ends in seconds, however many there are."""

Pairs = Mapping[frozenset[str], Sequence[Relationship]]


def fill_in(catalog: Catalog, left_out: Collection[tuple[str, int, str]]) -> Catalog:
    """The same, each task with the id and the relationships that its scenario and cast give it."""
    scenarios = {scenario.id: scenario for scenario in catalog.scenarios}
    pairs = _pairs(catalog)
    tasks = []
    for number, task in enumerate(catalog.tasks):
        if ("task", number, "relationships") in left_out:
            scenario = scenarios.get(task.scenario)
            between = [_between(pairs, pair, scenario) for pair in combinations(task.characters, 2)]
            task = replace(
                task, relationships=tuple(dict.fromkeys(one.id for one in between if one))
            )
        if ("task", number, "id") in left_out:
            names = [id_.partition("_")[0] for id_ in task.characters]
            task = replace(task, id="-".join([task.scenario, *names]) if task.scenario else "")
        tasks.append(task)
    return replace(catalog, tasks=tuple(tasks))


def casts_of(scenario: Scenario, catalog: Catalog, index: CatalogIndex) -> Iterator[str]:
    """The pairs that could play a scenario for two, each in the first order that fits."""
    pairs = _pairs(catalog)
    fitting = (one.characters for one in catalog.relationships if kind_fits(scenario, one.kind))
    strangers: Iterable[tuple[str, str]] = ()
    if kind_fits(scenario, RelationshipKind.STRANGER):
        two = combinations(index.characters, 2)
        strangers = (pair for pair in two if frozenset(pair) not in pairs)
    seen = set()
    for pair in islice(chain(fitting, strangers), _CANDIDATES):
        if frozenset(pair) in seen or not index.characters.keys() >= set(pair):
            continue
        seen.add(frozenset(pair))
        for cast in (pair, pair[::-1]):
            who = [index.characters[id_] for id_ in cast]
            if not any(seat_misfits(scenario, seat, one) for seat, one in enumerate(who)):
                yield " and ".join(cast)
                break


def _pairs(catalog: Catalog) -> Pairs:
    """The relationships between each two."""
    found: dict[frozenset[str], list[Relationship]] = defaultdict(list)
    for one in catalog.relationships:
        found[frozenset(one.characters)].append(one)
    return found


def _between(pairs: Pairs, pair: tuple[str, str], scenario: Scenario | None) -> Relationship | None:
    """The first relationship of two that the scenario asks for; else the first."""
    found = pairs.get(frozenset(pair), ())
    fitting = [one for one in found if scenario and kind_fits(scenario, one.kind)]
    return next(iter([*fitting, *found]), None)
