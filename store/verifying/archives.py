"""Whether the log gives away, and keeps from growing, what its tombstones say and nothing else."""

from collections.abc import Mapping

import sqlalchemy as sa

from events.archive import StreamsTakenOut
from store.archiving.belonging import digest_of
from store.tables import archived_streams as table
from store.verifying.defects import Defects


def check_archives(
    engine: sa.Engine, archived: Mapping[str, StreamsTakenOut], defects: Defects
) -> None:
    """Compare the table of archived streams with the tombstones, by run, of archived runs."""
    with engine.connect() as connection:
        named = set(connection.execute(sa.select(table.c.run).distinct()).scalars())
        for run in sorted(named - archived.keys()):
            what = f"it names streams of run {run}, of which no event says that it was archived"
            defects.add("guards", "table archived_streams", what)
        columns = (table.c.stream, table.c.first_version, table.c.last_version)
        for run, event in archived.items():
            rows = connection.execute(sa.select(*columns).where(table.c.run == run))
            if digest_of(tuple(row) for row in rows) != event.streams_sha256:
                what = f"it does not name the streams of run {run} that were archived"
                defects.add("guards", "table archived_streams", what)
