"""Records the failure of an actor that was given up, as the last event of its stream."""

from collections.abc import Collection
from contextlib import suppress

from events.base import Event
from events.serialization.codec import event_of
from store.errors import StreamArchived
from store.log.event_store import NEW, EventStore


def record_failure(
    store: EventStore, stream: str, failed: Event, unless: Collection[str] = ()
) -> None:
    """Append ``failed`` to the stream of an actor that is gone, in the run of the event before it.
    Nothing is done where the last event has a tag of ``unless``, or is the same already,
    or where the run was archived meanwhile, of which nothing more is recorded. Blocking.
    Raises ``Conflict`` where somebody else appends meanwhile."""
    version = store.version(stream)
    run = ""
    if version != NEW:
        last = store.read(stream, version)[-1]
        if last.tag in unless or event_of(last) == failed:
            return
        run = last.correlation
    with suppress(StreamArchived):
        store.append(stream, version, [failed], correlation=run)
