"""Reflection: after enough important events, three questions are asked, and each is answered with
conclusions from memories (Generative Agents, section 4.2)."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from actors.minds.generative import questions as forms
from actors.minds.generative.answers import Insights, RatedInsights
from actors.minds.generative.decision import (
    CALLS_OF_A_STEP,
    KEPT_FOR,
    DecisionProcess,
    Unconcluded,
    asked_together,
    shortly,
    together,
    told,
)
from actors.minds.generative.perception import rate_each
from actors.models.response_formats.schemas import Schema, choice_schema, list_schema
from events.thoughts import MemoryAdded, Reflected

LATEST: Final = 100
"""Memories that the questions are about (section 4.2)."""
QUESTIONS: Final = 3
INSIGHTS: Final = 5
"""Of one question, at most."""
ABOUT_ONE: Final = 15
"""Memories that are looked at for one of the questions where all are thought about at once."""


def due(thinking: DecisionProcess) -> bool:
    """Whether the total importance of new memories exceeds the threshold of reflection."""
    return thinking.state.fresh > thinking.means.spec.reflect_at


async def reflect(thinking: DecisionProcess) -> None:
    """Ask, look up, conclude. What cannot be concluded is said; then nothing follows this time."""
    try:
        latest = told(thinking.state.memories.latest(LATEST, thinking.at))
        asked = await thinking.ask(forms.QUESTIONS, {"memories": latest, "count": QUESTIONS})
        questions = asked.questions
        found = await (_together if thinking.lean else _one_by_one)(thinking, questions)
    except Unconcluded as why:
        thinking.fell_back("reflection", why, "it reflects once as much has happened again")
        thinking.conclude(Reflected())
        return
    thinking.conclude(Reflected(questions=questions, insights=tuple(found)))


async def _together(thinking: DecisionProcess, questions: Sequence[str]) -> list[int]:
    """What follows for all questions, in one call."""
    memories: list[MemoryAdded] = []
    about = []
    for question in questions:
        found = await thinking.retrieve([question], ABOUT_ONE)
        first = len(memories) + 1
        memories += found
        about.append((question, [(first + place, one) for place, one in enumerate(found)]))

    def check(answer: RatedInsights) -> list[str]:
        problems = _numbers([one.because for one in answer.insights], len(memories))
        if any(not 1 <= one.question <= len(questions) for one in answer.insights):
            problems.append(f"questions have the numbers 1 to {len(questions)}")
        return problems

    words = {
        "about": [
            (question, [(number, shortly(one.text)) for number, one in numbered])
            for question, numbered in about
        ],
        "most": INSIGHTS,
    }
    held = {**_statements(len(memories)), "question": choice_schema(range(1, len(questions) + 1))}
    answer = await thinking.ask(forms.RATED_INSIGHTS, words, check, held)
    kept: list[MemoryAdded] = []
    for number in range(1, len(questions) + 1):
        kept += [
            _thought(thinking, one.text, one.because, memories, one.importance)
            for one in [one for one in answer.insights if one.question == number][:INSIGHTS]
        ]
    return await thinking.remember(kept)


async def _one_by_one(thinking: DecisionProcess, questions: Sequence[str]) -> list[int]:
    """What follows for each question; each thought is put in three parts and rated, as the
    published code does."""
    kept = []
    for question in questions:
        memories = await thinking.retrieve([question])

        def check(answer: Insights, most: int = len(memories)) -> list[str]:
            return _numbers([one.because for one in answer.insights], most)

        words = {
            "question": question,
            "memories": [(number, shortly(one.text)) for number, one in enumerate(memories, 1)],
            "most": INSIGHTS,
        }
        answer = await thinking.ask(forms.INSIGHTS, words, check, _statements(len(memories)))
        found = answer.insights[:INSIGHTS]
        texts = [one.text for one in found]
        parts = [(forms.IN_PARTS, {"text": text}) for text in texts]
        works = (partial(asked_together, questions=parts), partial(rate_each, texts=texts))
        _, ratings = await together(thinking, works, CALLS_OF_A_STEP)
        for one, importance in zip(found, ratings, strict=True):
            thought = _thought(thinking, one.text, one.because, memories, importance)
            kept += await thinking.remember([thought])
    return kept


def _thought(
    thinking: DecisionProcess,
    text: str,
    because: Sequence[int],
    memories: Sequence[MemoryAdded],
    importance: float,
) -> MemoryAdded:
    return MemoryAdded(
        id=0,
        kind="thought",
        text=text,
        at=thinking.at,
        importance=float(importance),
        evidence=tuple(dict.fromkeys(memories[number - 1].id for number in because)),
        expires=thinking.at + KEPT_FOR,
    )


def _statements(most: int) -> dict[str, Schema]:
    """The field for the numbers of so many statements."""
    return {
        "because": list_schema(choice_schema(range(1, most + 1)), min(5, most))
        if most
        else list_schema(choice_schema([1]), 0)
    }


def _numbers(because: Sequence[Sequence[int]], most: int) -> list[str]:
    if all(1 <= number <= most for numbers in because for number in numbers):
        return []
    return [f"statements have the numbers 1 to {most}; name no others"]
