"""Requests that may be sent twice: which of them are in progress, and the stored responses.

No part of the log: rows are forgotten after a day. Blocking.
"""

import secrets
import time
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from store.database.engines import writing
from store.database.tables import answers as t
from store.log.event_store import EventStore

KEPT_S: Final = 86_400.0
"""How long an answer is known, in seconds."""
PATIENCE_S: Final = 30.0
"""Who has not said for so long that he still works on a request has died, in seconds."""


class KeyClaimed(NamedTuple):
    """The request is this caller's to do."""

    seed: str
    """The same for all who ever try it: ids that are made of it are, too."""


class StoredResponse(NamedTuple):
    """It was done; this was answered."""

    status: int
    """Of HTTP."""
    media_type: str
    body: bytes | None
    """None: the answer was not to be kept."""


class RequestInProgress(NamedTuple):
    """Somebody else works on it."""


class KeyReused(NamedTuple):
    """The key was used for something else."""


Claim = KeyClaimed | StoredResponse | RequestInProgress | KeyReused


def claim(store: EventStore, key: str, request: str) -> Claim:
    """Begin to do a request, unless somebody has. ``request``: a fingerprint of what is asked."""
    now = time.time()
    with writing(store.engine) as connection:
        connection.execute(sa.delete(t).where(t.c.begun_at < _micro(now - KEPT_S)))
        row = connection.execute(sa.select(t).where(t.c.key == key)).first()
        if row is not None:
            return _found(connection, row, request, now)
        seed = secrets.token_hex(8)
        values = {"key": key, "request": request, "seed": seed}
        try:
            with connection.begin_nested():
                connection.execute(
                    sa.insert(t).values(**values, begun_at=_micro(now), alive_at=_micro(now))
                )
        except IntegrityError:
            # At the same moment, by somebody else.
            return RequestInProgress()
        return KeyClaimed(seed)


def _found(
    connection: sa.Connection, row: sa.Row[tuple[object, ...]], request: str, now: float
) -> Claim:
    if row.request != request:
        return KeyReused()
    if row.status:
        return StoredResponse(row.status, row.media_type, row.body)
    if row.alive_at >= _micro(now - PATIENCE_S):
        return RequestInProgress()
    taken = connection.execute(
        sa.update(t)
        .where(t.c.key == row.key, t.c.alive_at == row.alive_at, t.c.status == 0)
        .values(alive_at=_micro(now))
    )
    return KeyClaimed(row.seed) if taken.rowcount else RequestInProgress()


def still_at_it(store: EventStore, key: str) -> None:
    """Say that it is still being worked on."""
    with writing(store.engine) as connection:
        connection.execute(
            sa.update(t).where(t.c.key == key, t.c.status == 0).values(alive_at=_micro(time.time()))
        )


def keep(store: EventStore, key: str, answer: StoredResponse) -> None:
    with writing(store.engine) as connection:
        connection.execute(sa.update(t).where(t.c.key == key).values(**answer._asdict()))


def give_up(store: EventStore, key: str) -> None:
    """Forget a request that was not done: it may be tried again."""
    with writing(store.engine) as connection:
        connection.execute(sa.delete(t).where(t.c.key == key, t.c.status == 0))


def _micro(seconds: float) -> int:
    return int(seconds * 1e6)
