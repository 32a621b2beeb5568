"""Frees the space that archived runs leave in the database."""

import shutil
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from events.untrusted.safe_text import shortened
from store.archive.run_contents import RunContents
from store.errors import StoreError
from store.log.range_rows import payload_bytes

_AT_ONCE = 20_000


class CannotCompact(StoreError):
    """The database's file stays as large as it is; the runs are archived all the same."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the database was not compacted: {shortened(why, 1_000)}")
        self.why = why


def size_of(engine: sa.Engine, found: RunContents) -> int:
    """Bytes of the payloads that are to leave the log."""
    with engine.connect() as connection:
        return sum(payload_bytes(connection, some) for some in found.taken.batches(_AT_ONCE))


def free_bytes(engine: sa.Engine) -> int | None:
    """Bytes of SQLite's file that nothing uses; None: another database."""
    if engine.dialect.name != "sqlite":
        return None
    with engine.connect() as connection:
        free, page = (
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("freelist_count", "page_size")
        )
    return int(free) * int(page)


def compact(engine: sa.Engine) -> int:
    """Rewrite SQLite's file without unused pages; returns by how many bytes it shrank. Others wait
    meanwhile. Raises ``CannotCompact``."""
    path = Path(str(engine.url.database))
    before = path.stat().st_size
    if shutil.disk_usage(path.parent).free < 2 * before:
        # The new file, and the log of SQLite that carries it over.
        raise CannotCompact(f"that takes up to {2 * before:,} bytes beside it, which are not free")
    pooled: Any = engine.raw_connection()
    try:
        pooled.cursor().execute("VACUUM")
        pooled.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        pooled.close()
    return before - path.stat().st_size
