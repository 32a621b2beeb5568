"""Studies and participants' sessions in the store: read, and changed by any process."""

import time
from collections.abc import Iterable, Sequence

from actors.studies.rules import Command, decide
from actors.studies.sessions import SessionState, fold_session
from actors.studies.state import StudyState, fold
from events.base import Event
from events.privacy.encryption import key_of, sealed
from gateway.services.repository import Repository
from store.errors import NoKey


def now() -> int:
    """Microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1000


class Studies(Repository[StudyState]):
    """The studies of a store, each read on from where it was read last."""

    kind = "study"
    name = "study"
    most_kept = 50

    def fold(
        self, id_: str, events: Iterable[Event], state: StudyState | None
    ) -> StudyState | None:
        """The state after some more events."""
        del id_
        return fold(events, state)

    def run_of(self, state: StudyState) -> str:
        """The run that its episodes are of."""
        return state.run

    def do(self, study: str, command: Command) -> StudyState:
        """Have a command take effect; the study (id in full) after it. Raises ``CommandRefused``,
        ``UnknownId``."""
        return self.change(study, lambda state: decide(state, command)).state


class Sessions(Repository[SessionState]):
    """Participants' ways through a study. A session has the name of its participant, under whose
    key what they said is sealed. Adding and changing raise ``NoKey``, ``KeysUnavailable``, too."""

    kind = "session"
    name = "session"

    def fold(
        self, id_: str, events: Iterable[Event], state: SessionState | None
    ) -> SessionState | None:
        """The state after some more events."""
        del id_
        return fold_session(events, state)

    def stored(self, id_: str, events: Sequence[Event]) -> Sequence[Event]:
        """With the participant's words sealed."""
        key = key_of(id_)
        if key is None:
            raise NoKey(id_, "nothing of theirs is stored")
        return [sealed(event, key) for event in events]
