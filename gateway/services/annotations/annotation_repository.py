"""Annotation studies in the store: read, and changed by any process."""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from actors.annotation.rules import Command, decide
from actors.annotation.state import Study, evolve, replay
from events.annotation import AnnotationPlanned
from events.ids import ANNOTATION, new_id
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from store.errors import Conflict
from store.log.event_store import NEW, EventStore
from store.log.stream_ids import find_of, ids_of

KIND = "annotation"


class LoadedAnnotationStudy(NamedTuple):
    """A study as it is now."""

    id: str
    study: Study
    version: int
    """Of its stream."""


def studies(store: EventStore) -> list[str]:
    """The ids of all annotation studies, the oldest first. Blocking, as is all here."""
    return ids_of(store, KIND)


def find_study(store: EventStore, given: str) -> str:
    """The id that was meant: a whole one, or the beginning of one. Raises ``UnknownId``,
    ``AmbiguousId``."""
    return find_of(store, KIND, given, "annotation study")


def load(store: EventStore, study: str) -> LoadedAnnotationStudy:
    """A study, by its id in full or how it begins. Raises ``UnknownId``, ``AmbiguousId``."""
    id_ = find_study(store, study)
    envelopes = store.read(stream_name(KIND, id_))
    return LoadedAnnotationStudy(
        id_, replay([event_of(one) for one in envelopes]), envelopes[-1].version
    )


def plan_study(store: EventStore, plan: AnnotationPlanned, id_: str = "") -> str:
    """Store a new study; its id. ``id_``: the one it will have; what an earlier try with it has
    stored stays."""
    id_ = id_ or new_id(ANNOTATION)
    with suppress(Conflict):
        store.append(stream_name(KIND, id_), NEW, [plan])
    return id_


def carry_out(store: EventStore, study: str, command: Command) -> Study:
    """Have a command take effect, whoever else changes the study meanwhile; the study after it.
    Raises ``AnnotationRefused``, ``UnknownId``."""
    return changed(store, study, lambda _: command)


def changed(store: EventStore, study: str, command: Callable[[Study], Command]) -> Study:
    """The same with a command that is made for the study as it is."""
    while True:
        loaded = load(store, study)
        events = decide(loaded.study, command(loaded.study))
        if not events:
            return loaded.study
        try:
            store.append(stream_name(KIND, loaded.id), loaded.version, events)
        except Conflict:
            continue
        found = loaded.study
        for event in events:
            found = evolve(found, event)
        return found
