"""What was taken out of the log into an archive, and brought back. Stream ``archive-<run>``.

The stream stays in the log for ever. Taking a run out appends ``StreamsTakenOut`` and, behind it,
the ``PositionsTakenOut`` that it counts; bringing it back appends ``StreamsBroughtBack``.
"""

from typing import Literal

from events.base import Event, Value


class ArchivedFile(Value, frozen=True, kw_only=True):
    """A file of an archive."""

    name: str
    """In the run's folder."""
    size: int
    """Bytes."""
    sha256: str
    """SHA-256 of its bytes, hexadecimal."""


class TakenRun(Value, frozen=True, kw_only=True):
    """What lists say of a run that is not here."""

    name: str
    """The plan's."""
    catalog: str
    """Name of the catalog that its tasks are from."""
    status: Literal["running", "paused", "ended"]
    """``running`` of runs that were simulated elsewhere alone: nothing of them is left to do."""
    pause_reason: str = ""
    """As in ``RunPaused``, while paused."""
    stopped: bool = False
    """Somebody ended it for good before all was done."""
    imported: str = ""
    """What its episodes came in, where they were simulated elsewhere."""
    episodes_planned: int
    """Episodes of the plan."""
    episodes_ended: int
    """Of those planned."""
    episodes_failed: int
    """Of those planned, given up."""
    started_at: int | None
    """When it was planned, in microseconds since 1970-01-01 UTC."""
    ended_at: int | None
    """The same of its end; None: it has not ended."""


class StreamsTakenOut(Event, frozen=True, kw_only=True):
    """The streams of a run are in an archive, and no longer in the log."""

    run: str
    """Id."""
    folder: str
    """Where the run's files were written: an absolute path, on the machine that did it."""
    files: tuple[ArchivedFile, ...]
    """All of them, the manifest first."""
    events: int
    """Events taken out."""
    streams: int
    """Streams that they belong to, whole."""
    streams_sha256: str
    """SHA-256 of a line ``<stream> <first version> <last version>`` for each, in the streams'
    order by name, hexadecimal."""
    size: int
    """Bytes of their payloads."""
    first_position: int
    """Of the first event taken out."""
    last_position: int
    """Of the last."""
    parts: int
    """How many ``PositionsTakenOut`` come next."""
    kept: tuple[str, ...] = ()
    """Streams of the run that stay in the log, because forks or chains elsewhere need them."""
    needs: tuple[str, ...] = ()
    """Episodes elsewhere that the run's forks and chains need, by id: they stay in the log."""
    summary: TakenRun
    """The run as it stood."""
    software: str = ""
    """Version of Troupe."""


class PositionsTakenOut(Event, frozen=True, kw_only=True):
    """Which positions became empty: a part of the ranges of a ``StreamsTakenOut``."""

    part: int
    """From 0."""
    ranges: bytes
    """First and last position of each range, in order: each number less the one before it (the
    first less 0), as 8 bytes, little-endian; all of that compressed by zlib."""


class StreamsBroughtBack(Event, frozen=True, kw_only=True):
    """What the last ``StreamsTakenOut`` took out is at its positions again."""

    run: str
    """Id."""
    folder: str
    """Where it was read: an absolute path, on the machine that did it."""
    events: int
    """Events that came back."""
