"""Scenarios by the second method as jobs; what reads like a program a model may make fluent."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from actors.models.response_formats.schemas import list_schema, object_schema, wording
from actors.social.catalog_items import Scenario
from actors.social.generation import prompts
from actors.social.generation.attributes import attribute_lists
from actors.social.generation.template_scenarios import (
    MARKUP_SCALE,
    bargain_scenario,
    friends_scenario,
)
from actors.social.generation.vignette_scenarios import SCENARIO
from actors.social.generation.written_items import (
    SCENARIOS_FROM,
    TURNS,
    GenerationJob,
    Question,
    TextForm,
    Writer,
    WrittenItem,
    plain_prose,
)
from actors.social.sources.entries import Bargain, FriendLists
from events.base import replace
from events.ids import derived_id

LONGEST: Final = 1_500
"""Characters of a context or a goal."""
SCHEMA: Final = object_schema(
    {"context": wording(LONGEST), "goals": list_schema(wording(LONGEST), 2, 2)}
)
_MONEY = re.compile(r"\$\s?(\d[\d,]*(?:\.\d+)?)")


class FluentAnswer(msgspec.Struct, frozen=True):
    """A scenario in better words, as a model answers it."""

    context: str
    goals: tuple[str, str]


_FLUENT: Final = Question(prompts.FLUENT, FluentAnswer)


def template_jobs(
    writer: Writer | None,
    entries: Sequence[tuple[str, Bargain | FriendLists]],
    source: str,
    seed: int,
    scale: float = MARKUP_SCALE,
) -> Iterator[GenerationJob]:
    """A scenario for each entry, which stands with where it is from. ``writer``: makes bargains
    fluent; None: they stay as code writes them, as lists of friends always do. ``scale``: the mean
    markup of what is for sale. Raises ``TooFewNames``."""
    names = list(attribute_lists().first_names)
    for number, (label, entry) in enumerate(entries):
        if isinstance(entry, Bargain):
            id_ = derived_id(SCENARIO, source, entry.key, str(seed), str(scale))
            scenario = bargain_scenario(id_, entry, seed, scale)
            job = _Filled(writer, SCENARIOS_FROM + number * TURNS, scenario)
        else:
            id_ = derived_id(SCENARIO, source, entry.key, str(seed))
            job = _Filled(None, 0, friends_scenario(id_, entry, seed, names))
        yield GenerationJob(id_, "scenario", label, job.questions, job.write)


class _Filled:
    """A scenario that code has written."""

    def __init__(self, writer: Writer | None, turn: int, scenario: Scenario) -> None:
        self._writer, self._turn, self._scenario = writer, turn, scenario
        self._words: dict[str, object] = {"context": scenario.context, "goals": scenario.goals}
        self.questions = (_FLUENT.messages(self._words),) if writer else ()

    async def write(self) -> WrittenItem:
        """It, as it is or made fluent. Raises ``NoUsableAnswer``."""
        if self._writer is None:
            return WrittenItem(self._scenario)
        item, used = await _FLUENT.ask(self._writer, self._turn, self._words, SCHEMA, self._use)
        return WrittenItem(item, (used,))

    def _use(self, answer: FluentAnswer) -> Scenario:
        return made_fluent(self._scenario, answer)


def made_fluent(scenario: Scenario, answer: FluentAnswer) -> Scenario:
    """The scenario in a model's words. Raises ``ValueError`` where an amount of money was lost, or
    stands where it did not stand before."""
    texts = []
    given = (scenario.context, *scenario.goals)
    for name, before, after in zip(
        ("context", "the goal of person 1", "the goal of person 2"),
        given,
        (answer.context, *answer.goals),
        strict=True,
    ):
        text = plain_prose(TextForm(name, prompts.FLUENT, LONGEST, 5), after)
        had, has = _amounts(before), _amounts(text)
        if lost := had - has:
            raise ValueError(f"{name} is to keep the amount ${min(lost):.2f}, in figures after $")
        if new := has - had:
            raise ValueError(f"{name} names ${min(new):.2f}, which is not in the text given")
        texts.append(text)
    return replace(scenario, context=texts[0], goals=tuple(texts[1:]))


def _amounts(text: str) -> set[float]:
    return {float(found.replace(",", "")) for found in _MONEY.findall(text)}
