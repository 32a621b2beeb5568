"""Models that only a file from outside says are to be asked.

A run's plan names whom it asks. Where a stream (of an episode, a chain, an interview) came in from
outside, it may name others, at other addresses: those nobody here has agreed to.
"""

from collections.abc import Container, Sequence

from events.base import Envelope
from events.minds import ModelSpec
from events.run import Plan
from events.serialization.codec import event_of
from events.serialization.named_models import named_models, names_models


def strangers(
    stream: Sequence[Envelope], imported: Container[int], plan: Plan | None
) -> frozenset[ModelSpec]:
    """The models that imported events of a stream name, and the plan that it is played for, if any,
    does not."""
    named = frozenset[ModelSpec]()
    for envelope in stream:
        if names_models(envelope.tag) and envelope.position in imported:
            named |= named_models(event_of(envelope))
    return named - named_models(plan)
