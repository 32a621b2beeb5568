"""Annotation studies in the store: read, and changed by any process."""

from collections.abc import Callable
from typing import NamedTuple

import sqlalchemy as sa

from actors.annotating.rules import Command, decide
from actors.annotating.state import Study, evolve, replay
from events.annotation import AnnotationPlanned
from events.codec import event_of
from events.ids import ANNOTATION, new_id
from events.subjects import split_stream, stream_name
from store.errors import Conflict
from store.log import NEW, EventStore
from store.lookup import LAST_CHARACTER, AmbiguousId, UnknownId, nearest
from store.tables import log

KIND = "annotation"
_LISTED = 5
"""Ids named when several would do."""


class Loaded(NamedTuple):
    """A study as it is now."""

    id: str
    study: Study
    version: int
    """Of its stream."""


def studies(store: EventStore) -> list[str]:
    """The ids of all annotation studies, the oldest first. Blocking, as is all here."""
    begins = f"{KIND}-"
    alike = (log.c.stream >= begins) & (log.c.stream < begins + LAST_CHARACTER)
    query = sa.select(log.c.stream).where(alike, log.c.version == 0).order_by(log.c.position)
    with store.engine.connect() as connection:
        return [split_stream(stream)[1] for stream in connection.execute(query).scalars()]


def find_study(store: EventStore, given: str) -> str:
    """The id that was meant: a whole one, or the beginning of one. Raises ``UnknownId``,
    ``AmbiguousId``."""
    known = studies(store)
    alike = [id_ for id_ in known if id_.startswith(given)] if given else []
    if given in known or len(alike) == 1:
        return given if given in known else alike[0]
    if alike:
        raise AmbiguousId("annotation study", given, alike[:_LISTED], len(alike))
    raise UnknownId("annotation study", given, nearest(given, known))


def load(store: EventStore, study: str) -> Loaded:
    """A study, by its id in full or how it begins. Raises ``UnknownId``, ``AmbiguousId``."""
    id_ = find_study(store, study)
    envelopes = store.read(stream_name(KIND, id_))
    return Loaded(id_, replay([event_of(one) for one in envelopes]), envelopes[-1].version)


def plan_study(store: EventStore, plan: AnnotationPlanned) -> str:
    """Store a new study; its id."""
    id_ = new_id(ANNOTATION)
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
