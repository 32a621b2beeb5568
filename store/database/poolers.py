"""Refuses connection poolers that may run each transaction in another database session."""

import sqlalchemy as sa

from store.database.engines import redacted
from store.errors import TransactionPooler

_TRIES = 3
"""Others may take and leave sessions of the pooler meanwhile."""
_PID = "SELECT pg_backend_pid()"


def require_session(engine: sa.Engine) -> None:
    """Raises ``TransactionPooler`` where each transaction may be another session's: statements that
    were prepared would be gone, and settings and temporary tables somebody else's."""
    if engine.dialect.name != "postgresql":
        return
    with engine.connect() as connection:
        direct = connection.connection.driver_connection
        assert direct is not None
        if _pid(connection) == direct.info.backend_pid:
            return  # a pooler makes up the number that it tells at the beginning
        for _ in range(_TRIES):
            mine = _pid(connection)
            with engine.connect() as another, another.begin():
                theirs = another.exec_driver_sql(_PID).scalar_one()
                # While that transaction lasts it has whatever session was idle.
                if theirs == mine or _pid(connection) != mine:
                    raise TransactionPooler(redacted(engine.url))


def _pid(connection: sa.Connection) -> int:
    """The session that answers to a transaction."""
    with connection.begin():
        pid: int = connection.exec_driver_sql(_PID).scalar_one()
    return pid
