"""In which episodes of a run actions failed, and why."""

from collections.abc import Iterable, Iterator

from events.episode import ActionTaken
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from store.log.event_store import EventStore
from store.projections import tables as t
from store.read_model import queries
from store.read_model.records import EpisodeRow


def failed_actions(store: EventStore, episodes: Iterable[EpisodeRow]) -> Iterator[tuple[str, str]]:
    """The episode and the reason of each action that failed, a fork's shared past left out.
    Blocking; reads the episodes in which some did."""
    for row in episodes:
        if not row.failed_actions:
            continue
        for envelope in store.read(stream_name("episode", row.id)):
            if envelope.tag != ActionTaken.__name__:
                continue
            event = event_of(envelope)
            if isinstance(event, ActionTaken) and event.failure:
                yield row.id, event.failure.reason


def failed_episodes(store: EventStore, run: str) -> dict[str, tuple[str, ...]]:
    """By reason the episodes of a run (its id in full) in which actions failed."""
    rows = queries.episodes(store, run=run, where=t.episodes.c.failed_actions > 0)
    found: dict[str, dict[str, None]] = {}
    for episode, reason in failed_actions(store, rows):
        found.setdefault(reason, {})[episode] = None
    return {reason: tuple(episodes) for reason, episodes in found.items()}
