"""Models that only a file from outside says are to be asked.

A run's plan names whom it asks. Where the stream of an episode or a chain came in from outside, it
may name others, at other addresses: those nobody here has agreed to.
"""

from collections.abc import Container, Iterable, Iterator, Sequence

from events.base import Envelope
from events.chain import ChainStarted
from events.codec import event_of
from events.episode import EpisodeForked, EpisodeStarted, SeatReleased, SeatTaken
from events.minds import MindSpec, ModelSpec
from events.run import Plan

_NAMING = (EpisodeStarted, EpisodeForked, ChainStarted, SeatTaken, SeatReleased)
_TAGS = frozenset(kind.__name__ for kind in _NAMING)
"""Of the events that name whom a stream asks."""


def models_in(plan: Plan) -> frozenset[ModelSpec]:
    """All models that a plan names."""
    found = (
        *_models(plan.minds),
        *_models(() if plan.people.substitute is None else (plan.people.substitute,)),
        *(memory.model for memory in plan.memories),
        *(judge.model for judge in plan.judges),
    )
    return frozenset(model for model in found if model is not None)


def strangers(
    stream: Sequence[Envelope], imported: Container[int], plan: Plan | None
) -> frozenset[ModelSpec]:
    """The models that imported events of an episode's or a chain's stream name, and the plan that
    it is played for, if any, does not."""
    named: set[ModelSpec | None] = set()
    for envelope in stream:
        if envelope.tag not in _TAGS or envelope.position not in imported:
            continue
        match event_of(envelope):
            case EpisodeStarted(minds=minds, people=people):
                named.update(_models(minds))
                if people.substitute is not None:
                    named.update(people.substitute.models)
            case EpisodeForked(minds=minds):
                named.update(_models(minds))
            case SeatTaken(mind=mind) | SeatReleased(mind=mind):
                named.update(mind.models)
            case ChainStarted(minds=minds, memory=memory):
                named.update((memory.model, *_models(minds)))
    return frozenset(model for model in named if model) - (models_in(plan) if plan else frozenset())


def _models(minds: Iterable[MindSpec]) -> Iterator[ModelSpec]:
    for mind in minds:
        yield from mind.models
