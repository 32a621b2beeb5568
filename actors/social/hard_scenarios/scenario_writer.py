"""The interface of writers of scenarios that need facts."""

from collections.abc import Sequence
from typing import Protocol

from actors.social.catalog_items import Scenario
from actors.social.hard_scenarios.chain_history import ChainPast
from actors.social.hard_scenarios.found_facts import FoundFact
from events.ids import derived_id

SOURCE = "generated"
TAGS = ("memory-hard", "generated")


class ScenarioWriter(Protocol):
    async def write(
        self, past: ChainPast, seat: int, facts: Sequence[FoundFact], number: int
    ) -> Scenario:
        """A scenario in which ``seat`` needs the facts; ``number``: the how-manieth of the chain.

        It has passed ``checking.check``. The same arguments give the same scenario. Raises
        ``UnusableScenario`` where none could be written that passes.
        """
        ...


def scenario_id(past: ChainPast, seat: int, facts: Sequence[FoundFact]) -> str:
    """The id of the scenario that asks these facts of a seat of the chain."""
    return derived_id("hard_", past.chain, str(seat), *(fact.id for fact in facts))


def scenario_of(
    past: ChainPast,
    seat: int,
    facts: Sequence[FoundFact],
    *,
    codename: str,
    context: str,
    goals: Sequence[str],
) -> Scenario:
    """A scenario in which ``seat`` needs the facts, unchecked. Anybody may be cast."""
    return Scenario(
        id=scenario_id(past, seat, facts),
        codename=codename,
        context=context,
        goals=tuple(goals),
        source=SOURCE,
        tags=TAGS,
        needs=tuple(fact.needed(seat) for fact in facts),
    )
