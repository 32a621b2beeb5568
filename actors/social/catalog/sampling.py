"""Tasks by constraint sampling: which pairs play a scenario (SOTOPIA, section 2.1 and appendix).

For each scenario, pairs of characters are drawn whose relationship it allows and who satisfy its
ages and occupations in some order of the seats. The draw follows from digests of the seed, of the
scenario and of who is cast, so that it is the same everywhere, and so that a pair added to the
catalog changes it only where that pair is drawn itself.
"""

from collections import Counter
from collections.abc import Collection
from typing import Final, NamedTuple

from actors.social.catalog.misfits import Constraint, kind_fits
from actors.social.catalog.pair_table import CastPair, PairTable
from actors.social.catalog_items import Catalog, Scenario, Task
from events.ids import derived_id, derived_number

PAIRS: Final = 5
"""Pairs a scenario in SOTOPIA."""

TASK = "t"
"""First letter of the ids of sampled tasks."""

_PRIME: Final = 2**31 - 1
"""Lots are numbers below it; times the scenario's own, and modulo it, they are places in a draw."""


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


def sample_tasks(
    catalog: Catalog,
    *,
    seed: int,
    pairs: int = PAIRS,
    ignore: Collection[Constraint] = (),
    both_orders: bool = False,
) -> TaskSample:
    """``pairs`` different pairs for every scenario of two seats, each pair once and in one order.

    The same catalog and seed give the same tasks. Two characters without a relationship are
    strangers; two with several play the one that is drawn, which the task names. ``ignore``:
    constraints that need not be satisfied. ``both_orders``: each pair drawn plays the scenario
    again with its seats exchanged, where that order fits, too.
    """
    table = PairTable(catalog, ignore)
    lots = table.lots(seed)
    tasks: list[Task] = []
    shortfalls = []
    for scenario in catalog.scenarios:
        reason = _unsuitable(scenario)
        found = 0
        if not reason:
            fitting = table.fitting(scenario)
            factor = 1 + derived_number(str(seed), scenario.id) % (_PRIME - 1)
            row = fitting[(lots[fitting] * factor % _PRIME).argsort(kind="stable")]
            drawn = table.first_of_pairs(row, pairs)
            found = len(drawn)
            if both_orders:
                drawn = table.with_other_orders(drawn, fitting)
            tasks += [_task(scenario, table.entries[place]) for place in drawn]
        if found < pairs:
            reason = reason or _why_few(scenario, table)
            shortfalls.append(Shortfall(scenario.id, pairs, found, reason))
    return TaskSample(tuple(tasks), tuple(shortfalls))


def _unsuitable(scenario: Scenario) -> str:
    """Why no pair can be cast in a scenario, whoever there is; empty where one may be."""
    if scenario.needs:
        return "it needs facts of earlier episodes, which only a chain has"
    if len(scenario.goals) != 2:
        return f"it has {len(scenario.goals)} seats, and pairs fill two"
    return ""


def _task(scenario: Scenario, cast: CastPair) -> Task:
    return Task(
        id=derived_id(TASK, scenario.id, *cast.characters, cast.relationship),
        scenario=scenario.id,
        characters=cast.characters,
        relationships=(cast.relationship,) if cast.relationship else (),
        tags=tuple(dict.fromkeys((*scenario.tags, str(cast.kind), "sampled"))),
    )


def _why_few(scenario: Scenario, table: PairTable) -> str:
    """Counts each relationship that is allowed, and says which constraints rule some of them
    out."""
    related = [
        one
        for one in table.entries[::2]
        if "relationship" in table.ignored or kind_fits(scenario, one.kind)
    ]
    allowed = " or ".join(scenario.relationships) or "of any kind"
    failing = Counter(
        constraint
        for one in related
        for seat, id_ in enumerate(one.characters)
        for constraint in table.misfits(scenario, seat, id_)
    )
    rest = ", ".join(f"{constraint} rules out some" for constraint in sorted(failing))
    return f"{len(related)} pairs are {allowed}" + (f"; {rest}" if rest else "")
