"""Scenarios written by a language model, held to the same rules as all others."""

from collections.abc import Sequence

import msgspec

from actors.models.answers.recorded_questions import Asking, NoUsableAnswer, StoredCalls
from actors.models.answers.structured import AnswerReader
from actors.models.caller import ModelCaller
from actors.models.response_formats.schemas import Schema, list_schema, object_schema, wording
from actors.social.catalog_items import Scenario
from actors.social.hard_scenarios import prompts
from actors.social.hard_scenarios.chain_history import ChainPast
from actors.social.hard_scenarios.found_facts import FoundFact
from actors.social.hard_scenarios.scenario_check import UnusableScenario, check
from actors.social.hard_scenarios.scenario_writer import scenario_id, scenario_of
from events.minds import ModelSpec


class ScenarioAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario as a model answers it."""

    codename: str
    context: str
    goals: tuple[str, ...]


READER = AnswerReader(ScenarioAnswer)


def schema(seats: int) -> Schema:
    """The JSON Schema of a scenario for so many seats."""
    goals = list_schema(wording(600), seats, seats)
    return object_schema({"codename": wording(60), "context": wording(800), "goals": goals})


class ModelWriter:
    """``writer.Writer`` that asks a model, and again where what it wrote cannot be used."""

    def __init__(self, model: ModelSpec, caller: ModelCaller, calls: StoredCalls) -> None:
        self._asking = Asking(prompts.version(prompts.WRITE), READER, model, caller, calls)

    async def write(
        self, past: ChainPast, seat: int, facts: Sequence[FoundFact], number: int
    ) -> Scenario:
        """The model's scenario, once it passes the check. Raises ``UnusableScenario``."""

        def use(answer: ScenarioAnswer) -> Scenario:
            scenario = scenario_of(
                past,
                seat,
                facts,
                codename=answer.codename.strip(),
                context=answer.context.strip(),
                goals=[goal.strip() for goal in answer.goals],
            )
            check(scenario, past)
            return scenario

        seats = len(past.latest.setup.cast)
        words = {
            "seats": seats,
            "seat": seat + 1,
            "facts": [
                (fact.kind, fact.quote, [key for group in fact.keys for key in group])
                for fact in facts
            ],
        }
        turn = len(past.begun.episodes) + number
        try:
            return await self._asking.ask(
                turn, prompts.question(prompts.WRITE, words), schema(seats), use
            )
        except NoUsableAnswer as none:
            raise UnusableScenario(scenario_id(past, seat, facts), str(none)) from none
