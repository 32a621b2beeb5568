"""Scenarios by the paper's first method: from a vignette and an example a model writes the context,
two goals and who may be cast."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from actors.models.response_formats.schemas import (
    choice_schema,
    list_schema,
    object_schema,
    text_schema,
    wording,
)
from actors.seeded_draws import SeededDraws
from actors.social.catalog.standards import gendered_words
from actors.social.catalog_items import InteractionKind, RelationshipKind, Scenario
from actors.social.generation import prompts
from actors.social.generation.attributes import TAGS
from actors.social.generation.relationships import MEANINGS
from actors.social.generation.written_items import (
    SCENARIOS_FROM,
    TURNS,
    GenerationJob,
    Question,
    TextForm,
    Writer,
    WrittenItem,
    plain_prose,
    prose,
    shared_run,
)
from actors.social.markup import render
from actors.social.sources.entries import Vignette
from events.base import replace
from events.ids import derived_id

SCENARIO: Final = "g"
"""First letter of the ids of generated scenarios."""
YOUNGEST: Final = 18
OLDEST: Final = 80
LONGEST_CONTEXT: Final = 800
LONGEST_GOAL: Final = 600
"""Characters."""
COPIED: Final = 8
"""Words in a row that are too many to have in common with the example."""
NAME_FORM: Final = TextForm("codename", prompts.SCENARIO, 100)
CONTEXT_FORM: Final = TextForm("context", prompts.SCENARIO, LONGEST_CONTEXT, 8)
GOAL_FORMS: Final = tuple(
    TextForm(f"the goal of person {seat}", prompts.SCENARIO, LONGEST_GOAL, 5) for seat in (1, 2)
)
KINDS: Final = {
    RelationshipKind.STRANGER: "They have never met.",
    **MEANINGS,
}
_AGE: Final = choice_schema(range(YOUNGEST, OLDEST + 1))
SCHEMA: Final = object_schema(
    {
        "codename": wording(60),
        "context": wording(LONGEST_CONTEXT),
        "goals": list_schema(wording(LONGEST_GOAL), 2, 2),
        "relationships": list_schema(choice_schema(map(str, KINDS)), len(KINDS), 1),
        "ages": list_schema(list_schema(_AGE, 2, 2), 2, 2),
        "occupations": list_schema(text_schema(40, empty=True), 2, 2),
    }
)


class VignetteAnswer(msgspec.Struct, frozen=True):
    """A scenario, as a model answers it."""

    codename: str
    context: str
    goals: tuple[str, str]
    relationships: tuple[RelationshipKind, ...]
    ages: tuple[tuple[int, int], tuple[int, int]]
    occupations: tuple[str, str] = ("", "")


_SCENARIO: Final = Question(prompts.SCENARIO, VignetteAnswer)


def examples_in(scenarios: Sequence[Scenario]) -> list[Scenario]:
    """Those that can be an example: for two, to be played without a past."""
    return [one for one in scenarios if len(one.goals) == 2 and not one.needs and one.relationships]


def vignette_jobs(
    writer: Writer,
    source: str,
    vignettes: Sequence[tuple[str, Vignette]],
    examples: Sequence[Scenario],
    seed: int,
) -> Iterator[GenerationJob]:
    """A scenario for each vignette, which stands with where it is from. ``source``: what scenarios
    are tagged by; ``examples``: one of them is drawn for each."""
    for number, (label, vignette) in enumerate(vignettes):
        draws = SeededDraws("social-scenario", str(seed), source, vignette.key)
        example = draws.one("example", examples)
        words: dict[str, object] = {
            "vignette": vignette.text,
            "kind": vignette.kind,
            "example": {
                "context": render(example.context, "public"),
                "goals": example.goals,
                "relationships": [str(kind) for kind in example.relationships],
            },
            "kinds": [(str(kind), meaning) for kind, meaning in KINDS.items()],
        }
        id_ = derived_id(SCENARIO, source, vignette.key, str(seed))
        yield GenerationJob(
            id_,
            "scenario",
            label,
            (_SCENARIO.messages(words),),
            _FromVignette(writer, number, id_, source, vignette, example, words).write,
        )


class _FromVignette:
    """A scenario that is to be written."""

    def __init__(
        self,
        writer: Writer,
        number: int,
        id_: str,
        source: str,
        vignette: Vignette,
        example: Scenario,
        words: dict[str, object],
    ) -> None:
        self._writer, self._turn = writer, SCENARIOS_FROM + number * TURNS
        self._id, self._source, self._words = id_, source, words
        self._vignette, self._example = vignette, example

    async def write(self) -> WrittenItem:
        """It. Raises ``NoUsableAnswer``."""
        item, used = await _SCENARIO.ask(
            self._writer, self._turn, self._words, SCHEMA, self._scenario
        )
        return WrittenItem(item, (used,))

    def _scenario(self, answer: VignetteAnswer) -> Scenario:
        found = scenario_of(self._id, self._source, answer, self._example)
        kind = self._vignette.kind
        if kind in set(InteractionKind):
            return replace(found, kind=InteractionKind(kind))
        return replace(found, tags=(*TAGS, kind)) if kind else found


def scenario_of(id_: str, source: str, answer: VignetteAnswer, example: Scenario) -> Scenario:
    """What a model wrote as a scenario. Raises ``ValueError`` with what is to be mended."""
    context = plain_prose(CONTEXT_FORM, answer.context)
    goals = tuple(prose(form, goal) for form, goal in zip(GOAL_FORMS, answer.goals, strict=True))
    if goals[0].casefold() == goals[1].casefold():
        raise ValueError("the two goals are the same; each person wants something of their own")
    for seat, goal in enumerate(goals):
        if not render(goal, "public").strip():
            raise ValueError(f"the goal of person {seat + 1} is only a hint; say what is wanted")
    for text, other in zip((context, *goals), (example.context, *example.goals), strict=True):
        if run := shared_run(text, other, COPIED):
            raise ValueError(f"{run!r} is from the example; write about something else")
    if not answer.relationships:
        raise ValueError("name at least one of the relationships")
    for seat, (youngest, oldest) in enumerate(answer.ages, 1):
        if not YOUNGEST <= youngest <= oldest <= OLDEST:
            raise ValueError(
                f"the ages of person {seat} are to be the youngest and the oldest, "
                f"{YOUNGEST} to {OLDEST}"
            )
    made = Scenario(
        id=id_,
        codename=plain_prose(NAME_FORM, answer.codename),
        context=context,
        goals=goals,
        relationships=tuple(dict.fromkeys(answer.relationships)),
        ages=answer.ages,
        occupations=_occupations(answer.occupations),
        source=source,
        tags=TAGS,
    )
    if gendered := gendered_words(made):
        words = ", ".join(gendered)
        raise ValueError(f"context gives somebody a gender ({words}); anybody is to be cast")
    return made


def _occupations(given: tuple[str, str]) -> tuple[str, ...]:
    found = tuple(" ".join(one.split()).casefold() for one in given)
    return found if any(found) else ()
