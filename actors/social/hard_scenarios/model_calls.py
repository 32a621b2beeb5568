"""Where it is recorded what a model is asked for facts and scenarios.

The calls to make hard scenarios of a chain are events of the stream ``find-<chain>``, with purpose
``find``. Their turn is the index of the episode that was read; a scenario's, the number of episodes
of the chain plus the scenario's own number.
"""

from actors.models.answers.recorded_questions import StoredCalls
from events.wire.subjects import stream_name
from store.log.event_store import EventStore


def calls_of(store: EventStore, chain: str, run: str = "") -> StoredCalls:
    """The calls made for hard scenarios of a chain. Blocking."""
    return StoredCalls(store, stream_name("find", chain), run)
