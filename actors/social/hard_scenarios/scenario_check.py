"""Checks that a scenario does not give away the facts it needs, and that the seats that need them
have heard them."""

from collections.abc import Iterator

from msgspec import to_builtins

from actors.social.catalog.needed_facts import keys_fault, needed_by, says
from actors.social.catalog_items import NeededFact, Scenario
from actors.social.hard_scenarios.chain_history import ChainPast
from actors.social.markup import BadMarkup, parse
from actors.social.sight import background
from events.base import replace
from events.episode import EpisodeStarted
from events.untrusted.safe_text import shortened


class UnusableScenario(ValueError):
    """A scenario that cannot be played as a hard one after a chain's past."""

    def __init__(self, scenario: str, why: str) -> None:
        super().__init__(
            f"scenario {shortened(scenario)!r} cannot be used: {shortened(why, 1_000)}"
        )
        self.scenario, self.why = scenario, why


def check(scenario: Scenario, past: ChainPast) -> None:
    """Raises ``UnusableScenario`` where a fact it needs stands in the scenario itself, is known to
    the seat anyway, or never came up in what the seat saw of the chain."""
    seats = len(past.latest.setup.cast)
    if len(scenario.goals) != seats:
        why = f"it has {len(scenario.goals)} goals for {seats} seats; one each"
        raise UnusableScenario(scenario.id, why)
    for text in (scenario.context, *scenario.goals):
        try:
            parse(text)
        except BadMarkup as bad:
            raise UnusableScenario(scenario.id, f"its text cannot be read, {bad}") from bad
        if not text.strip():
            raise UnusableScenario(scenario.id, "its situation or one of its goals is empty")
    fault = keys_fault(scenario) or _past_fault(scenario, past)
    if fault is not None:
        raise UnusableScenario(scenario.id, fault)


def came_up(fact: NeededFact, seat: int, past: ChainPast, before: int | None = None) -> bool:
    """Whether a seat saw all keys of a fact in one earlier episode; in one of the scenario that
    teaches it, where it names one. ``before``: an index; None: in any episode of the chain."""
    return any(
        fact.taught_by in ("", episode.scenario, episode.id)
        and says(episode.seen_by(seat), fact.keys)
        for episode in past.episodes
        if before is None or episode.index < before
    )


def fact_fault(fact: NeededFact, seat: int, past: ChainPast, known: str) -> str | None:
    """Why a fact cannot be needed of a seat after a chain's past, as a sentence; None if it can.
    ``known``: what the seat is shown before the first turn."""
    if says(known, fact.keys):
        return f"seat {seat + 1} knows fact {fact.id!r} anyway: it is shown its keys"
    if not came_up(fact, seat, past):
        return f"fact {fact.id!r} never came up in what seat {seat + 1} saw of the chain"
    return None


def known_to(seat: int, started: EpisodeStarted) -> str:
    """All that a seat is shown before the first turn, through the one door."""
    return "\n".join(_words(to_builtins(background("", started, seat))))


def with_scenario(started: EpisodeStarted, scenario: Scenario) -> EpisodeStarted:
    """The same beginning with another scenario."""
    return replace(started, setup=replace(started.setup, scenario=scenario))


def _past_fault(scenario: Scenario, past: ChainPast) -> str | None:
    started = with_scenario(past.latest, scenario)
    for seat in range(len(started.minds)):
        facts = needed_by(scenario, seat)
        known = known_to(seat, started) if facts else ""
        for fact in facts:
            fault = fact_fault(fact, seat, past, known)
            if fault is not None:
                return fault
    return None


def _words(value: object) -> Iterator[str]:
    """Every text in plain data, names of fields left aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _words(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _words(inner)
