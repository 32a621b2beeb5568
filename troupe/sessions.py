"""The settings and the store of a call, and whether the call came to its end."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import structlog

from actors.runs.execution.work import Progress
from gateway.errors import Unfinished
from gateway.process.logs import LEVELS, set_up_structlog
from gateway.settings import Settings, checked, opened
from store.log.event_store import EventStore
from store.projections.maintenance.projector import catch_up
from troupe.arguments import Where, settings_at


def require_done(progress: Progress, id_: str, how_to_go_on: str) -> None:
    """Raises ``Unfinished`` where the work waits."""
    if not progress.done:
        raise Unfinished(id_, progress.paused, how_to_go_on)


@contextmanager
def session(where: Where) -> Iterator[tuple[Settings, EventStore]]:
    """The settings and the store of a place. What is made there is for its owner alone."""
    settings = settings_at(where)
    if not structlog.is_configured():
        set_up_structlog(LEVELS.get(settings.log_level, LEVELS["warning"]))
    with ExitStack() as stack:
        before = os.umask(0o077)
        try:
            store = stack.enter_context(opened(checked(settings)))
        finally:
            os.umask(before)
        yield settings, store
        # Otherwise read-only callers would copy its tables to bring them up to date.
        catch_up(store)
