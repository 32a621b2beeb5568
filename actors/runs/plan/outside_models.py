"""Models that only an imported file asks for.

A run's plan names the models that it asks. An imported stream (of an episode, a chain or an
interview) may name other models at other addresses, to which nobody here has agreed.
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
