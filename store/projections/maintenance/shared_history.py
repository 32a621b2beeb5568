"""The past that a fork shares with its parent, for projections."""

from events.base import Envelope
from events.episode import ActionTaken, EpisodeEnded, EpisodeStarted
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.log.forked_history import BrokenFork, NoSuchEvent, read_history
from store.projections.projection import Shared


def shared_past(store: EventStore, fork: Envelope, parent: str, at: int) -> Shared | None:
    """See ``store.projections.projection.Past``."""
    try:
        history = read_history(store, parent, at)
    except (UnknownId, NoSuchEvent, BrokenFork):
        return None
    if any(numbered.envelope.position > fork.position for numbered in history):
        # It came to this store only later: rows must not depend on when they were made.
        return None
    events = [numbered.event for numbered in history]
    started = next((event for event in events if isinstance(event, EpisodeStarted)), None)
    if started is None:
        return None
    taken = [event for event in events if isinstance(event, ActionTaken)]
    failed = sum(event.failure is not None for event in taken)
    ended = events[-1] if isinstance(events[-1], EpisodeEnded) else None
    return Shared(started, taken[-1].turn if taken else 0, failed, ended)
