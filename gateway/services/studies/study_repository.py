"""Studies and sessions in the store: read, and changed by any process."""

import time
from collections.abc import Sequence
from threading import Lock
from typing import Final, NamedTuple

from cachetools import LRUCache

from actors.studies.rules import Command, decide
from actors.studies.sessions import SessionState, fold_session
from actors.studies.state import StudyState, evolve, fold
from events.base import Event
from events.privacy.encryption import key_of, sealed
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from store.errors import Conflict, NoKey
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.log.stream_ids import find_of, ids_of

KIND: Final = "study"
SESSION: Final = "session"
MOST_KEPT: Final = 50
"""Studies that are kept as they were read last."""


class LoadedStudy(NamedTuple):
    """A study as it is now."""

    id: str
    state: StudyState
    version: int
    """Of its stream."""


def now() -> int:
    """Microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1000


def study_ids(store: EventStore) -> list[str]:
    """The ids of all studies, the oldest first. Blocking, as is all here."""
    return ids_of(store, KIND)


def find_study(store: EventStore, given: str) -> str:
    """The id that was meant: a whole one, or the beginning of one. Raises ``UnknownId``,
    ``AmbiguousId``."""
    return find_of(store, KIND, given, "study")


class Studies:
    """The studies of a store, each read on from where it was read last. Safe from any thread."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._kept: LRUCache[str, LoadedStudy] = LRUCache(MOST_KEPT)
        self._lock = Lock()

    def load(self, study: str) -> LoadedStudy:
        """A study (id in full) as it is now. Raises ``UnknownId``."""
        with self._lock:
            known = self._kept.get(study)
        stream = stream_name(KIND, study)
        envelopes = self.store.read(stream, known.version + 1 if known else 0)
        state = fold(map(event_of, envelopes), known.state if known else None)
        if state is None:
            raise UnknownId("study", study, [])
        found = LoadedStudy(study, state, envelopes[-1].version if envelopes else known.version)  # type: ignore[union-attr]
        self._keep(found)
        return found

    def do(self, study: str, command: Command) -> StudyState:
        """Have a command take effect, whoever else changes the study meanwhile; the study after it.
        Raises ``CommandRefused``, ``UnknownId``."""
        return self.decided(study, command)[0]

    def decided(self, study: str, command: Command) -> tuple[StudyState, Sequence[Event]]:
        """The same, and what it led to."""
        while True:
            loaded = self.load(study)
            events = decide(loaded.state, command)
            if not events:
                return loaded.state, ()
            stream = stream_name(KIND, study)
            try:
                done = self.store.append(
                    stream, loaded.version, events, correlation=loaded.state.run
                )
            except Conflict:
                continue
            state = loaded.state
            for event in events:
                state = evolve(state, event)
            self._keep(LoadedStudy(study, state, done.last_version))
            return state, events

    def _keep(self, found: LoadedStudy) -> None:
        with self._lock:
            known = self._kept.get(found.id)
            if known is None or known.version <= found.version:
                self._kept[found.id] = found


class LoadedSession(NamedTuple):
    """A session as it is now."""

    state: SessionState
    version: int
    last_at: int
    """When something happened last, in microseconds since 1970-01-01 UTC."""


def load_session(store: EventStore, session: str) -> LoadedSession | None:
    """A session as it is now; None: there is none."""
    envelopes = store.read(stream_name(SESSION, session))
    state = fold_session(map(event_of, envelopes))
    if state is None:
        return None
    return LoadedSession(state, envelopes[-1].version, envelopes[-1].recorded_at)


def record(
    store: EventStore, session: str, participant: str, expected: int, events: Sequence[Event]
) -> None:
    """Append to a session, what the participant said sealed under their key. Raises ``Conflict``
    where something else happened there meanwhile, ``NoKey``, ``KeysUnavailable``."""
    key = key_of(participant)
    if key is None:
        raise NoKey(participant, "nothing of theirs is stored")
    kept = [sealed(event, key) for event in events]
    store.append(stream_name(SESSION, session), expected, kept)
