"""Renders errors that a person can act on as one sentence."""

import errno
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from actors.models.limits.halts import HALTS
from actors.toml_file import BadFile
from events.untrusted.safe_text import shortened
from gateway.models.probe_models import ModelsUnavailable
from gateway.services.files.bundled_files import is_example
from store.database.transient_errors import reason
from store.errors import KeysUnavailable, StoreFull, StoreUnavailable
from store.id_lookup import UnknownId

OURS = ("events", "store", "actors", "evaluators", "gateway", "troupe")
"""All errors that these packages declare are sentences made for the person at the keyboard."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Why something cannot be written, be it to standard output."""

WHERE_TO_LOOK = {
    "run": "`troupe runs` lists them",
    "episode": "`troupe show RUN` lists those of a run",
    "chain": "`troupe chains` lists them",
    "run or episode": "`troupe runs` lists the runs, `troupe show RUN` the episodes of one",
    "annotation study": "`troupe annotate list` lists them",
    "catalog": "`troupe catalog list` lists them; `troupe catalog import` brings one in",
    "catalog item": "`troupe catalog search WORDS` finds what there is",
}
"""Where the ids of a kind are found, for those who gave one that nothing is near to."""


def sentence_of(error: BaseException) -> str | None:
    """The error in one sentence, or None where it is a fault of ours that needs its traceback."""
    if isinstance(error, BaseExceptionGroup):
        sentences = [sentence_of(inner) for inner in error.exceptions]
        return None if None in sentences else sentences[0]
    package = type(error).__module__.partition(".")[0]
    if package in OURS:
        return str(error) + _where_to_look(error)
    if isinstance(error, OSError) and error.filename is not None:
        return f"{shortened(str(error.filename))}: {error.strerror}"
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return f"what was to be written has no room: {error.strerror}"
    if package == "sqlalchemy":
        return _of_database(error)
    return None


def is_for_later(error: BaseException) -> bool:
    """Whether the same command does it once a model can be asked again."""
    return isinstance(error, (*HALTS, ModelsUnavailable))


def _where_to_look(error: BaseException) -> str:
    if isinstance(error, StoreUnavailable) and not isinstance(error, StoreFull | KeysUnavailable):
        return "; start that database, or correct TROUPE_DATABASE_URL"
    if isinstance(error, BadFile) and is_example(error.path) and not Path(error.path).exists():
        return "; `troupe examples copy` brings it here"
    if not isinstance(error, UnknownId) or error.kind not in WHERE_TO_LOOK:
        return ""
    # A catalog that has yet to come in is near to others that have.
    wanted = error.kind == "catalog" or not error.nearest
    return f"; {WHERE_TO_LOOK[error.kind]}" if wanted else ""


def _of_database(error: BaseException) -> str | None:
    if not isinstance(error, DBAPIError):
        return None
    return f"the database did not do what it was asked: {reason(error)}; `troupe doctor` checks it"
