"""An episode's history, composed by reference where it was forked.

``events.episode`` says what an event's number is: a fork has its parent's events up to and
including ``EpisodeForked.at``, then its own, the ``EpisodeForked`` first, from number ``at + 1``.
"""

from typing import NamedTuple

from events.base import Envelope, Event
from events.codec import event_of
from events.episode import EpisodeForked
from events.subjects import stream_name
from store.errors import StoreError
from store.log import EventStore
from store.lookup import UnknownId


class Numbered(NamedTuple):
    """An event of an episode's history."""

    number: int
    """Its place in the history, from 0; what ``troupe replay --at`` counts."""
    envelope: Envelope
    """As stored; the stream of an inherited event is that of the episode it happened in."""
    event: Event


class NoSuchEvent(StoreError, LookupError):
    """The history is not that long."""

    def __init__(self, episode: str, number: int, last: int) -> None:
        super().__init__(
            f"episode {episode} has no event number {number}: its numbers go from 0 to {last}"
        )
        self.episode, self.number, self.last = episode, number, last


class BrokenFork(StoreError):
    """A fork's past is not in the store."""

    def __init__(self, episode: str, parent: str, at: int, why: str) -> None:
        super().__init__(
            f"episode {episode} was forked from event {at} of episode {parent}, but {why}"
        )
        self.episode, self.parent, self.at, self.why = episode, parent, at, why


def read_history(store: EventStore, episode: str, upto: int | None = None) -> list[Numbered]:
    """The history of an episode, up to and including number ``upto`` (None: all of it).

    Takes an id in full. Raises ``UnknownId``, ``NoSuchEvent``, ``BrokenFork``.
    """
    if upto is not None and upto < 0:
        raise NoSuchEvent(episode, upto, read_history(store, episode)[-1].number)
    parts: list[list[Numbered]] = []
    forks: dict[str, EpisodeForked] = {}
    current, limit = episode, upto
    while True:
        # A number is never smaller than the version, so this reads enough (of a fork, too much).
        envelopes = store.read(stream_name("episode", current), 0, limit)
        if not envelopes:
            raise _missing(current, forks)
        first = event_of(envelopes[0])
        base = first.at + 1 if isinstance(first, EpisodeForked) else 0
        own = [
            Numbered(base + envelope.version, envelope, event_of(envelope))
            for envelope in envelopes
            if limit is None or base + envelope.version <= limit
        ]
        if own and limit is not None and own[-1].number < limit:
            raise _too_short(current, forks, limit, own[-1].number)
        parts.append(own)
        if not isinstance(first, EpisodeForked):
            return [numbered for part in reversed(parts) for numbered in part]
        forks[current] = first
        if first.at < 0:
            raise _broken(forks, "there is no such number")
        if first.parent in forks:
            raise _broken(forks, "that one is itself a fork of this one")
        current, limit = first.parent, first.at if limit is None else min(first.at, limit)


def _missing(episode: str, forks: dict[str, EpisodeForked]) -> StoreError:
    if forks:
        return _broken(forks, "that one is not in the store")
    return UnknownId("episode", episode)


def _too_short(episode: str, forks: dict[str, EpisodeForked], wanted: int, last: int) -> StoreError:
    if forks:
        return _broken(forks, f"its last event is number {last}")
    return NoSuchEvent(episode, wanted, last)


def _broken(forks: dict[str, EpisodeForked], why: str) -> BrokenFork:
    episode, forked = list(forks.items())[-1]
    return BrokenFork(episode, forked.parent, forked.at, why)
