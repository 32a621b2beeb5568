"""Scenarios written from templates: a place to meet again, and goals that quote with gaps."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from actors.social.catalog_items import Scenario
from actors.social.hard_scenarios.chain_history import ChainPast
from actors.social.hard_scenarios.found_facts import FactKind, FoundFact
from actors.social.hard_scenarios.scenario_check import UnusableScenario, check
from actors.social.hard_scenarios.scenario_writer import scenario_id, scenario_of
from actors.toml_file import read_toml
from events.base import Value
from events.ids import derived_number

_FILE = Path(__file__).with_name("scenes.toml")


class MeetingScene(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somewhere to meet again."""

    codename: str
    context: str


class Goals(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sentences that goals are put together from."""

    begin: tuple[str, ...]
    remember: Mapping[FactKind, str]
    end: str
    watch: tuple[str, ...]
    """For the seats that are asked for nothing."""


class Scenes(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    scene: tuple[MeetingScene, ...]
    goals: Goals


class RuleWriter:
    """``writer.Writer`` without a model."""

    async def write(
        self, past: ChainPast, seat: int, facts: Sequence[FoundFact], number: int
    ) -> Scenario:
        """The scenario in the first place, by lot, that gives nothing away; makes no calls."""
        return write_by_rule(past, seat, facts, number)


def write_by_rule(past: ChainPast, seat: int, facts: Sequence[FoundFact], number: int) -> Scenario:
    """A scenario that asks facts of a seat. Raises ``UnusableScenario``."""
    scenes, goals = scenes_file().scene, scenes_file().goals
    lot = derived_number(past.chain) + number
    refused: UnusableScenario | None = None
    for step in range(len(scenes)):
        place = lot + step
        scene = scenes[place % len(scenes)]
        scenario = scenario_of(
            past,
            seat,
            facts,
            codename=scene.codename,
            context=scene.context,
            goals=_goals(goals, len(past.latest.setup.cast), seat, facts, place),
        )
        try:
            check(scenario, past)
        except UnusableScenario as unusable:
            refused = refused or unusable
            continue
        return scenario
    raise refused or UnusableScenario(scenario_id(past, seat, facts), "there are no scenes")


@cache
def scenes_file() -> Scenes:
    """What scenarios are written from. Raises ``BadFile``."""
    return read_toml(_FILE, Scenes)


def _goals(
    goals: Goals, seats: int, seat: int, facts: Sequence[FoundFact], place: int
) -> list[str]:
    other = "the other" if seats == 2 else "one of the others"
    asked = [
        goals.remember[fact.kind].format(other=other, quote=fact.gapped.rstrip("."))
        for fact in facts
    ]
    own = " ".join((goals.begin[place % len(goals.begin)], *asked, goals.end))
    watch = goals.watch[place % len(goals.watch)]
    return [own if one == seat else watch for one in range(seats)]
