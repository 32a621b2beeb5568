"""Whether what is missing from the log is what was archived, as its tombstones say, and no more."""

from collections.abc import Mapping
from typing import Final

import sqlalchemy as sa

from events.archive import PositionsTakenOut, StreamsBroughtBack, StreamsTakenOut
from events.base import Event
from events.wire.subjects import split_stream
from store.database.tables import archived_streams as table
from store.log.position_ranges import Range, Ranges, of_parts, union, without
from store.log.tombstones import streams_digest
from store.verification.defects import Defects

ARCHIVING: Final = tuple(
    kind.__name__ for kind in (StreamsTakenOut, PositionsTakenOut, StreamsBroughtBack)
)
"""Tags of the events of which tombstones consist."""


class ArchiveChecks:
    """Collects the holes of the log, and what the log says of them."""

    def __init__(self) -> None:
        self.archived: dict[str, StreamsTakenOut] = {}
        """By run, what was said last of those that are in an archive."""
        self._parts: dict[str, list[PositionsTakenOut]] = {}
        self._holes = Ranges()

    def hole(self, first: int, last: int) -> None:
        """There is nothing from one position to another."""
        self._holes.add(first, last)

    def happened(self, stream: str, event: Event) -> None:
        """An event whose tag is in ``ARCHIVING``."""
        run = split_stream(stream)[1]
        match event:
            case StreamsTakenOut():
                self.archived[run], self._parts[run] = event, []
            case PositionsTakenOut():
                self._parts.setdefault(run, []).append(event)
            case StreamsBroughtBack():
                self.archived.pop(run, None)
                self._parts.pop(run, None)

    def finish(self, defects: Defects) -> None:
        """Holes are where runs were taken out, and nowhere else."""
        accounted = self._accounted(defects)
        for one in without(self._holes, accounted):
            defects.add("positions", f"position {one[0]}", f"{_are(one)} missing from the log")
        for one in without(accounted, self._holes):
            what = f"{_are(one)} there, though a run was archived from there"
            defects.add("positions", f"position {one[0]}", what)

    def _accounted(self, defects: Defects) -> Ranges:
        taken: list[Ranges] = []
        for run, parts in self._parts.items():
            said = self.archived.get(run)
            try:
                ranges = of_parts(parts)
                if said is None or (said.events, said.parts) != (ranges.count, len(parts)):
                    raise ValueError("it does not name as many positions as were taken out")
            except ValueError as error:
                defects.add("positions", f"stream archive-{run}", str(error))
            else:
                taken.append(ranges)
        try:
            return union(taken)
        except ValueError:
            what = "two archived runs name the same positions"
            defects.add("positions", "streams archive-…", what)
            return Ranges()


def check_table(
    engine: sa.Engine, archived: Mapping[str, StreamsTakenOut], defects: Defects
) -> None:
    """The streams that the log gives away, and lets not grow, are those of the archived runs."""
    where = f"table {table.name}"
    with engine.connect() as connection:
        named = set(connection.execute(sa.select(table.c.run).distinct()).scalars())
        for run in sorted(named - archived.keys()):
            what = f"it names streams of run {run}, of which no event says that it was archived"
            defects.add("guards", where, what)
        columns = (table.c.stream, table.c.first_version, table.c.last_version)
        for run, event in archived.items():
            rows = connection.execute(sa.select(*columns).where(table.c.run == run))
            if streams_digest((stream, first, last) for stream, first, last in rows) != (
                event.streams_sha256
            ):
                what = f"it does not name the streams of run {run} that were archived"
                defects.add("guards", where, what)


def _are(one: Range) -> str:
    first, last = one
    return f"position {first} is" if first == last else f"positions {first} to {last} are"
