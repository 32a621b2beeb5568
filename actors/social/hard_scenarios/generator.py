"""A chain's facts, and a catalog of scenarios that need them."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from actors.social.catalog.needed_facts import first_key, says
from actors.social.catalog_items import Catalog, Relationship, Scenario, Task
from actors.social.hard_scenarios.chain_history import ChainPast
from actors.social.hard_scenarios.found_facts import Finder, FoundFact, FoundFacts, PassedOver
from actors.social.hard_scenarios.scenario_check import (
    UnusableScenario,
    came_up,
    known_to,
    with_scenario,
)
from actors.social.hard_scenarios.scenario_writer import TAGS, ScenarioWriter
from events.base import Value, replace
from events.episode import EpisodeStarted
from events.ids import derived_number
from events.untrusted.safe_text import shortened


class TooFewFacts(ValueError):
    """Not enough was found in a chain for one scenario."""

    def __init__(self, chain: str, seat: int, found: int, asked: int) -> None:
        facts = "1 fact" if found == 1 else f"{found} facts"
        super().__init__(
            f"seat {seat + 1} of chain {shortened(chain)!r} can be asked for {facts} that others "
            f"told, not for {asked}; ask for fewer, or play more of the chain"
        )
        self.chain, self.seat, self.found, self.asked = chain, seat, found, asked


class ToldToSeat(Value, frozen=True, kw_only=True):
    """What became of the facts that others told one seat: ``shown_anyway``, ``never_came_up``,
    ``used`` and ``left`` make up ``told``."""

    seat: int
    """From 0."""
    told: int
    """How many others told, so that it could be asked for them."""
    shown_anyway: int
    """Those it is shown before the first turn, so that nobody needs to remember them."""
    never_came_up: int
    """Those it did not see whole."""
    used: int
    """Those a scenario asks it for."""
    left: int
    """Those that no scenario asks for: more scenarios would."""


class Funnel(Value, frozen=True, kw_only=True):
    """From what was said in a chain to the scenarios made of it, and what was lost on the way."""

    looked_at: int
    """Sentences that all seats heard, or what a model put forward."""
    unit: str
    """``sentences`` or ``findings of the model``."""
    passed_over: tuple[PassedOver, ...]
    """Of them: what is no fact to ask for, and why."""
    found: int
    """Facts: what is left."""
    seats: tuple[ToldToSeat, ...]
    asked: int
    """Scenarios that were asked for."""
    made: int
    most: int
    """How many scenarios could be asked for, about, before a fact is used twice."""


class Generated(Value, frozen=True, kw_only=True):
    """What was made of one chain."""

    chain: str
    scenarios: tuple[Scenario, ...]
    tasks: tuple[Task, ...]
    """One a scenario: the chain's own cast plays it."""
    found: tuple[FoundFact, ...]
    rejected: tuple[str, ...]
    """Why something that was put forward is no fact."""
    refused: tuple[str, ...]
    """Why a scenario was not made."""
    funnel: Funnel
    """Why so many facts gave so many scenarios."""


async def generate(
    past: ChainPast,
    catalog: Catalog,
    finder: Finder,
    writer: ScenarioWriter,
    *,
    facts: int,
    scenarios: int,
) -> Generated:
    """``scenarios`` scenarios that need ``facts`` facts each, for the seats of a chain in turn.

    Facts not used yet come first, and of those that differ in kind and episode. What cannot be
    made is told in ``Generated.refused``. The same past, the same scenarios.
    """
    findings = await finder.find(past)
    seats = len(past.latest.setup.cast)
    told = [_told(findings, seat, past) for seat in range(seats)]
    made: dict[str, tuple[Scenario, Task]] = {}
    refused: list[str] = []
    times: Counter[str] = Counter()
    asked_of: dict[int, set[str]] = {seat: set() for seat in range(seats)}
    for number in range(scenarios):
        seat = number % seats
        try:
            chosen = choose(told[seat].askable, past.chain, seat, facts, times, number)
            scenario = await writer.write(past, seat, chosen, number)
        except (TooFewFacts, UnusableScenario) as why:
            refused.append(str(why))
            continue
        times.update(fact.id for fact in chosen)
        asked_of[seat].update(fact.id for fact in chosen)
        made[scenario.id] = (scenario, _task(scenario, past.latest, catalog))
    return Generated(
        chain=past.chain,
        scenarios=tuple(scenario for scenario, _ in made.values()),
        tasks=tuple(task for _, task in made.values()),
        found=findings.facts,
        rejected=findings.rejected,
        refused=tuple(dict.fromkeys(refused)),
        funnel=Funnel(
            looked_at=findings.looked_at,
            unit=findings.unit,
            passed_over=findings.passed_over,
            found=len(findings.facts),
            seats=tuple(one.funnel(seat, len(asked_of[seat])) for seat, one in enumerate(told)),
            asked=scenarios,
            made=len(made),
            most=seats * min(len(one.askable) // facts for one in told),
        ),
    )


class _Told(NamedTuple):
    """The facts that others told a seat."""

    askable: list[FoundFact]
    """Those it does not know without remembering."""
    shown_anyway: int
    never_came_up: int

    def funnel(self, seat: int, used: int) -> ToldToSeat:
        """What became of them."""
        return ToldToSeat(
            seat=seat,
            told=len(self.askable) + self.shown_anyway + self.never_came_up,
            shown_anyway=self.shown_anyway,
            never_came_up=self.never_came_up,
            used=used,
            left=len(self.askable) - used,
        )


def _told(findings: FoundFacts, seat: int, past: ChainPast) -> _Told:
    """The facts that others told a seat."""
    seats = len(past.latest.minds)
    nowhere = with_scenario(past.latest, Scenario(id="", context="", goals=("",) * seats))
    known = known_to(seat, nowhere)
    told = [(fact, fact.needed(seat)) for fact in findings.facts if fact.seat != seat]
    unknown = [(fact, needed) for fact, needed in told if not says(known, needed.keys)]
    askable = [fact for fact, needed in unknown if came_up(needed, seat, past)]
    return _Told(askable, len(told) - len(unknown), len(unknown) - len(askable))


def choose(
    facts: Sequence[FoundFact], chain: str, seat: int, count: int, times: Counter[str], number: int
) -> tuple[FoundFact, ...]:
    """The facts for one scenario: those used least first, by lot, of different episodes and kinds
    as far as there are any, and none that gives another away. Raises ``TooFewFacts``."""
    chosen: list[FoundFact] = []
    while len(chosen) < count:
        kinds, episodes = {one.kind for one in chosen}, {one.episode for one in chosen}
        left = [fact for fact in facts if fact not in chosen and not _gives_away(fact, chosen)]
        if not left:
            raise TooFewFacts(chain, seat, len(chosen), count)
        chosen.append(
            min(
                left,
                key=lambda fact: (
                    times[fact.id],
                    fact.episode in episodes,
                    fact.kind in kinds,
                    derived_number(chain, str(number), fact.id),
                    fact.id,
                ),
            )
        )
    return tuple(sorted(chosen, key=lambda fact: (fact.index, fact.number)))


def _gives_away(fact: FoundFact, others: Sequence[FoundFact]) -> bool:
    """Whether the question after one of the facts would hold a key of the other."""
    return any(
        first_key(fact.gapped, other.keys) or first_key(other.gapped, fact.keys) for other in others
    )


def catalog_of(name: str, source: Catalog, generated: Sequence[Generated]) -> Catalog:
    """The catalog ``source`` with what was generated, under another name."""
    scenarios = {one.id: one for made in generated for one in made.scenarios}
    tasks = {one.id: one for made in generated for one in made.tasks}
    return replace(
        source,
        name=name,
        scenarios=tuple(({one.id: one for one in source.scenarios} | scenarios).values()),
        tasks=tuple(({one.id: one for one in source.tasks} | tasks).values()),
    )


def _task(scenario: Scenario, started: EpisodeStarted, catalog: Catalog) -> Task:
    characters = tuple(who.id for who in started.setup.cast)
    ties = [
        relationship.id
        for tie in started.setup.relationships
        for relationship in catalog.relationships
        if _is(relationship, tie.seats, characters) and relationship.kind == tie.kind
    ]
    return Task(
        id=f"{scenario.id}-{'-'.join(characters)}",
        scenario=scenario.id,
        characters=characters,
        relationships=tuple(dict.fromkeys(ties)),
        tags=TAGS,
    )


def _is(relationship: Relationship, seats: tuple[int, int], characters: Sequence[str]) -> bool:
    return set(relationship.characters) == {characters[seat] for seat in seats}
