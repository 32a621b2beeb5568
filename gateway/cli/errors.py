"""Errors as people meet them: one sentence on standard error, never a traceback for a mistake."""

import errno
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

from events.harmless import shortened

OK, REFUSED, USAGE, PAUSED, NOTHING, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""Exit codes: done; refused with a sentence; the command line itself is wrong (typer's own);
something waits for a larger budget or for a model that cannot be asked; done, and nothing came of
it: every episode was given up or every score is missing; stopped by Ctrl-C or SIGTERM."""

OURS = ("events", "store", "actors", "evaluators", "gateway")
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


@contextmanager
def report_errors() -> Iterator[None]:
    """Turn the errors a person can act on into a sentence and an exit code."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("troupe: stopped\n")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has seen enough (`troupe runs | head`).
        sys.stderr.close()
        sys.exit(OK)
    except SystemExit as leaving:
        # Typer has met the same, which is no failure to us.
        if isinstance(leaving.__context__, BrokenPipeError):
            sys.exit(OK)
        raise
    except Exception as error:
        sentence = sentence_of(error)
        if sentence is None:
            raise
        sys.stderr.write(f"{_in_lines(f'troupe: {sentence}')}\n")
        sys.exit(PAUSED if _is_for_later(error) else REFUSED)


def _in_lines(text: str) -> str:
    """Broken between words where somebody reads it on a terminal; whole for whatever else does."""
    if not sys.stderr.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
        for line in text.splitlines()
    )


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


def _is_for_later(error: BaseException) -> bool:
    """Whether the same command does it once a model can be asked again."""
    if type(error).__module__.partition(".")[0] not in OURS:
        return False
    from actors.models.halts import HALTS
    from gateway.probing import ModelsUnavailable

    return isinstance(error, (*HALTS, ModelsUnavailable))


def _where_to_look(error: BaseException) -> str:
    from store.errors import StoreFull, StoreUnavailable
    from store.lookup import UnknownId

    if isinstance(error, StoreUnavailable) and not isinstance(error, StoreFull):
        return "; start that database, or correct TROUPE_DATABASE_URL"
    if not isinstance(error, UnknownId) or error.nearest or error.kind not in WHERE_TO_LOOK:
        return ""
    return f"; {WHERE_TO_LOOK[error.kind]}"


def _of_database(error: BaseException) -> str | None:
    from sqlalchemy.exc import DBAPIError

    from store.availability import reason

    if not isinstance(error, DBAPIError):
        return None
    return f"the database did not do what it was asked: {reason(error)}; `troupe doctor` checks it"
