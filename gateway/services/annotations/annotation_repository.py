"""Annotation studies in the store: read, and changed by any process."""

from collections.abc import Iterable

from actors.annotation.rules import Command, decide
from actors.annotation.state import Study, evolve, replay
from events.annotation import AnnotationPlanned
from events.base import Event
from events.ids import ANNOTATION, new_id
from gateway.services.repository import Repository


class AnnotationStudies(Repository[Study]):
    """The annotation studies of a store."""

    kind = "annotation"
    name = "annotation study"

    def fold(self, id_: str, events: Iterable[Event], state: Study | None) -> Study | None:
        """The study after some more events. Raises ``NotPlanned`` where it does not begin with its
        plan."""
        del id_
        if state is None:
            first = tuple(events)
            return replay(first) if first else None
        for event in events:
            state = evolve(state, event)
        return state

    def plan(self, plan: AnnotationPlanned, id_: str = "") -> str:
        """Store a new study; its id. ``id_``: the one it will have; what an earlier try with it has
        stored stays."""
        id_ = id_ or new_id(ANNOTATION)
        self.add(id_, [plan])
        return id_

    def do(self, study: str, command: Command) -> Study:
        """Have a command take effect; the study (id in full) after it. Raises
        ``AnnotationRefused``, ``UnknownId``."""
        return self.change(study, lambda state: decide(state, command)).state
