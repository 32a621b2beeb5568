"""Letting people into a study."""

from actors.studies.rules import Open
from actors.studies.state import StudyState
from gateway.services.studies.study_repository import Studies
from store.participants.shared_key_store import require_keys


def open_study(studies: Studies, study: str, by: str) -> StudyState:
    """Have people let in from now on; the study after it. Blocking. Raises ``KeysNotShared``,
    ``KeysUnavailable`` where their words could not be sealed for all processes, ``CommandRefused``,
    ``UnknownId``."""
    require_keys(studies.store, recording=True)
    return studies.do(study, Open(by=by))
