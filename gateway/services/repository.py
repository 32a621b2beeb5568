"""Event-sourced things that no actor owns: read from the store, and changed by any process.

A ``Repository`` says what its streams are called and how their events become a state. What two
processes do at once to one thing happens one after the other: an append expects the version that
was read, and who comes second reads again and decides again.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from threading import Lock
from typing import ClassVar, Generic, NamedTuple, TypeVar

from cachetools import LRUCache

from events.base import Event
from events.serialization.codec import event_of
from events.wire.subjects import is_id, stream_name
from store.errors import Conflict
from store.id_lookup import UnknownId
from store.log.event_store import NEW, EventStore
from store.log.stream_ids import find_of, ids_of

S = TypeVar("S")


class Loaded(NamedTuple, Generic[S]):
    """A thing as it is now."""

    id: str
    state: S
    version: int
    """Of its stream."""
    at: int
    """When something happened to it last, in microseconds since 1970-01-01 UTC."""


class Changed(NamedTuple, Generic[S]):
    """A thing after a change."""

    state: S
    events: Sequence[Event]
    """What the change came to; none: there was nothing to change."""


class Repository(Generic[S]):
    """The things of one kind in a store. All of it is blocking and safe from any thread."""

    kind: ClassVar[str]
    """Of their streams."""
    name: ClassVar[str]
    """What messages call one of them."""
    most_kept: ClassVar[int] = 0
    """Things that are kept as they were read last, so that only what came since is read."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._kept: LRUCache[str, Loaded[S]] = LRUCache(self.most_kept)
        self._lock = Lock()

    # What a kind of thing says of itself.

    def fold(self, id_: str, events: Iterable[Event], state: S | None) -> S | None:
        """The state after some more events of its stream; None where there are none."""
        raise NotImplementedError

    def stored(self, id_: str, events: Sequence[Event]) -> Sequence[Event]:
        """Events in the form in which the store takes them."""
        del id_
        return events

    def run_of(self, state: S) -> str:
        """The run that its events are correlated with; empty: none."""
        del state
        return ""

    def unknown(self, id_: str) -> Exception:
        """What ``load`` raises where nothing has an id."""
        return UnknownId(self.name, id_)

    # What can be done with all kinds.

    def ids(self) -> list[str]:
        """The ids of all, the oldest first."""
        return ids_of(self.store, self.kind)

    def find(self, given: str) -> str:
        """The id that was meant: a whole one, or the beginning of one. Raises ``UnknownId``,
        ``AmbiguousId``."""
        return find_of(self.store, self.kind, given, self.name)

    def all(self) -> list[Loaded[S]]:
        """All of them as they are now, the oldest first."""
        found = map(self.get, self.ids())
        return [one for one in found if one is not None]

    def get(self, id_: str) -> Loaded[S] | None:
        """A thing (id in full) as it is now; None: there is none."""
        if not is_id(id_):
            return None
        with self._lock:
            known = self._kept.get(id_)
        stream = stream_name(self.kind, id_)
        envelopes = self.store.read(stream, known.version + 1 if known else 0)
        if known and not envelopes:
            return self._keep(known)
        state = self.fold(id_, map(event_of, envelopes), known.state if known else None)
        if state is None:
            return None
        last = envelopes[-1]
        return self._keep(Loaded(id_, state, last.version, last.recorded_at))

    def load(self, id_: str) -> Loaded[S]:
        """The same. Raises what ``unknown`` says, which is ``UnknownId`` for most kinds."""
        found = self.get(id_)
        if found is None:
            raise self.unknown(id_)
        return found

    def add(self, id_: str, events: Sequence[Event]) -> None:
        """Store a new thing; what an earlier try with this id has stored stays."""
        state = self.fold(id_, events, None)
        with suppress(Conflict):
            self._append(id_, NEW, state, events)

    def change(self, id_: str, decide: Callable[[S], Sequence[Event]]) -> Changed[S]:
        """Have what ``decide`` makes of the state take effect, whoever else changes it meanwhile.

        Raises as ``load`` does, and what ``decide`` raises; that may be called several times.
        """
        while True:
            loaded = self.load(id_)
            events = decide(loaded.state)
            if not events:
                return Changed(loaded.state, ())
            state = self.fold(id_, events, loaded.state)
            assert state is not None, "a state and events make a state"
            with suppress(Conflict):
                self._append(id_, loaded.version, state, events)
                return Changed(state, events)

    def _append(self, id_: str, expected: int, state: S | None, events: Sequence[Event]) -> None:
        done = self.store.append(
            stream_name(self.kind, id_),
            expected,
            self.stored(id_, events),
            correlation="" if state is None else self.run_of(state),
        )
        if state is not None:
            self._keep(Loaded(id_, state, done.last_version, done.envelopes[-1].recorded_at))

    def _keep(self, found: Loaded[S]) -> Loaded[S]:
        if self.most_kept:
            with self._lock:
                known = self._kept.get(found.id)
                # Another thread may have read on further meanwhile.
                if known is None or known.version <= found.version:
                    self._kept[found.id] = found
        return found
