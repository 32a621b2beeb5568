"""Models that only a file from outside says are to be asked.

A run's plan names whom it asks. Where the stream of an episode or a chain came in from outside, it
may name others, at other addresses: those nobody here has agreed to.
"""

from collections.abc import Container, Sequence

from events.base import Envelope
from events.chain import ChainStarted
from events.codec import event_of
from events.episode import EpisodeForked, EpisodeStarted
from events.minds import ModelSpec
from events.run import Plan

BEGINNINGS = (EpisodeStarted.__name__, EpisodeForked.__name__, ChainStarted.__name__)


def models_in(plan: Plan) -> frozenset[ModelSpec]:
    """All models that a plan names."""
    found = (
        *(mind.model for mind in plan.minds),
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
        if envelope.tag not in BEGINNINGS or envelope.position not in imported:
            continue
        match event_of(envelope):
            case EpisodeStarted(minds=minds) | EpisodeForked(minds=minds):
                named.update(mind.model for mind in minds)
            case ChainStarted(minds=minds, memory=memory):
                named.update((memory.model, *(mind.model for mind in minds)))
    return frozenset(model for model in named if model) - (models_in(plan) if plan else frozenset())
