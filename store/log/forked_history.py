"""An episode's history, composed by reference where it was forked.

``events.episode`` says what an event's number is: a fork has its parent's events up to and
including ``EpisodeForked.at``, then its own, the ``EpisodeForked`` first, from number ``at + 1``.
"""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from events.base import Envelope, Event
from events.episode import EpisodeForked
from events.serialization.codec import event_of
from events.untrusted.safe_text import shortened
from events.wire.subjects import stream_name
from store.errors import StoreError
from store.id_lookup import UnknownId
from store.log.event_store import EventStore

POLL_S = 0.1
"""How often a history that is followed is looked at, in seconds."""


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
            f"episode {shortened(episode)} has no event number {number}: its numbers go from 0 to "
            f"{last}"
        )
        self.episode, self.number, self.last = episode, number, last


class BrokenFork(StoreError):
    """A fork's past is not in the store."""

    def __init__(self, episode: str, parent: str, at: int, why: str) -> None:
        super().__init__(
            f"episode {shortened(episode)} was forked from event {at} of episode "
            f"{shortened(parent)}, but {shortened(why, 1_000)}"
        )
        self.episode, self.parent, self.at, self.why = episode, parent, at, why


def read_history(
    store: EventStore, episode: str, upto: int | None = None, *, after: int = -1
) -> list[Numbered]:
    """The history of an episode: the events behind number ``after`` (-1: from the first on), up to
    and including number ``upto`` (None: to the last).

    Costs what it answers: of a fork's shared past only what is asked for is read. Takes an id in
    full. Raises ``UnknownId``, ``NoSuchEvent`` (for ``upto``), ``BrokenFork``.
    """
    if upto is not None and upto < 0:
        raise NoSuchEvent(episode, upto, read_history(store, episode)[-1].number)
    parts: list[list[Numbered]] = []
    forks: dict[str, EpisodeForked] = {}
    current, limit = episode, upto
    while True:
        stream = stream_name("episode", current)
        # A number is never smaller than the version, so this reads enough (of a fork, too much).
        envelopes = store.read(stream, 0, limit if after < 0 else 0)
        if not envelopes:
            raise _missing(current, forks)
        first = event_of(envelopes[0])
        base = _first_number(first)
        if after >= 0:
            envelopes = store.read(stream, after + 1 - base, limit)
        own = [
            Numbered(base + envelope.version, envelope, event_of(envelope))
            for envelope in envelopes
            if limit is None or base + envelope.version <= limit
        ]
        if limit is not None and base <= limit:
            last = own[-1].number if own else base + store.version(stream)
            if last < limit:
                raise _too_short(current, forks, limit, last)
        parts.append(own)
        if isinstance(first, EpisodeForked):
            forks[current] = first
            if first.at < 0:
                raise _broken(forks, "there is no such number")
        if not isinstance(first, EpisodeForked) or base <= after + 1:
            return [numbered for part in reversed(parts) for numbered in part]
        if first.parent in forks:
            raise _broken(forks, "that one is itself a fork of this one")
        current, limit = first.parent, first.at if limit is None else min(first.at, limit)


def follow_history(
    store: EventStore,
    episode: str,
    *,
    after: int = -1,
    poll_s: float = POLL_S,
    more: Callable[[], bool] = lambda: True,
) -> Iterator[Numbered]:
    """The events of an episode behind number ``after``, then each new one, as long as there is
    ``more`` to come; what is stored by then is answered in any case.

    Waits for an episode that has not begun. Each event is read once, however busy the rest of the
    store is; after ``poll_s`` seconds without news the store is asked again. Takes an id in full.
    Raises ``BrokenFork``.
    """
    stream = stream_name("episode", episode)
    going = True
    while not (begun := store.read(stream, 0, 0)):
        if not going:
            return
        time.sleep(poll_s)
        going = more()
    base, number = _first_number(event_of(begun[0])), after
    for numbered in read_history(store, episode, after=after):
        yield numbered
        number = numbered.number
    while True:
        envelopes = store.read(stream, number + 1 - base)
        for envelope in envelopes:
            number = base + envelope.version
            yield Numbered(number, envelope, event_of(envelope))
        if not envelopes:
            if not going:
                return
            time.sleep(poll_s)
            going = more()


def _first_number(first: Event) -> int:
    """The number of an episode's own first event."""
    return first.at + 1 if isinstance(first, EpisodeForked) else 0


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
