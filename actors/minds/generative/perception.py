"""Turns a mind's experiences into memories, each with an importance from 1 to 10 (Generative
Agents, section 4.1)."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from actors.episodes.planning_support import Experience
from actors.minds.generative import questions
from actors.minds.generative.answers import Rating
from actors.minds.generative.decision import SHOWN, DecisionProcess, Unconcluded, together
from actors.minds.generative.state import IMPORTANCE
from actors.models.response_formats.schemas import choice_schema, list_schema
from events.thoughts import MemoryAdded

LEAST: Final = 1.0
"""What a memory counts that could not be rated."""
BATCH: Final = 40
"""Memories that are rated in one call, at most."""
WORTH_A_CALL: Final = 12
"""So many new sentences are rated in a call of their own."""


def unrated(thinking: DecisionProcess, pending: Sequence[Experience]) -> list[str]:
    """The sentences among what was lived through whose importance is not known yet."""
    known = thinking.state.ratings
    return [text for text in dict.fromkeys(one.text for one in pending) if text not in known]


def matters_now(thinking: DecisionProcess) -> bool:
    """Whether what was lived through is taken in before this decision. With few calls it waits
    until a day is planned, until there is much of it, or until it costs nothing: whom one meets,
    and what was just said, a prompt tells anyway."""
    pending, situation = thinking.pending, thinking.situation
    if not pending:
        return False
    if not thinking.lean or situation.why in ("begins", "day"):
        return True
    if situation.why == "" and not len(thinking.state.memories):
        return True  # in a case, what came to mind
    new = len(unrated(thinking, pending))
    # In a talk what is said is thought about, after it its note.
    talks = situation.asked == "say" or situation.why == "parted"
    return new == 0 or (new >= WORTH_A_CALL and not talks)


async def take_in(thinking: DecisionProcess, pending: Sequence[Experience]) -> None:
    """Remember all of it."""
    ratings = await (_rated(thinking, pending) if thinking.lean else _each(thinking, pending))
    await thinking.remember(
        [
            MemoryAdded(
                id=0,
                kind=one.kind,
                text=one.text,
                at=one.at,
                importance=rating,
                subject=one.subject,
            )
            for one, rating in zip(pending, ratings, strict=True)
        ]
    )


async def _rated(thinking: DecisionProcess, pending: Sequence[Experience]) -> list[float]:
    """Importance by sentence: asked for in batches, and never twice."""
    new = unrated(thinking, pending)
    found = dict(thinking.state.ratings)
    for start in range(0, len(new), BATCH):
        batch = new[start : start + BATCH]
        found |= dict(zip(batch, await rate(thinking, batch), strict=True))
    return [found[one.text] for one in pending]


async def _each(thinking: DecisionProcess, pending: Sequence[Experience]) -> list[float]:
    """Importance one by one, as the published code asks for it, all at the same time."""
    return await rate_each(thinking, [one.text for one in pending])


async def rate_each(thinking: DecisionProcess, texts: Sequence[str]) -> list[float]:
    """How much each of some memories matters, with a call each, at the same time."""
    works = [partial(rate, texts=(text,)) for text in texts]
    return [one for (one,) in await together(thinking, works, thinking.means.calls_of_a_call)]


async def rate(thinking: DecisionProcess, texts: Sequence[str]) -> list[float]:
    """How much each of some memories matters; ``LEAST`` where that cannot be had, which is said."""

    def check(answer: Rating) -> list[str]:
        given, asked = len(answer.ratings), len(texts)
        return [] if given == asked else [f"there are {asked} memories, and {given} ratings"]

    try:
        held = {"ratings": list_schema(choice_schema(range(1, 11)), len(texts), len(texts))}
        words = {"memories": [text[: 2 * SHOWN] for text in texts]}
        return [
            float(one) for one in (await thinking.ask(questions.RATING, words, check, held)).ratings
        ]
    except Unconcluded as why:
        count = f"{len(texts)} memories count" if len(texts) > 1 else "the memory counts"
        thinking.fell_back(IMPORTANCE, why, f"{count} as {LEAST:g} of 10")
        return [LEAST] * len(texts)
