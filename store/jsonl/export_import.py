"""Lossless export of a run, a chain or an episode as JSON lines, and its import.

The first line is a ``Header``, then comes one envelope a line, and the last line is a
``Checksum`` over all lines before it. A run brings its own stream and those of its chains and
episodes; a chain brings what its seats remember and its episodes; an episode brings those of its
agents and evaluations, and the episodes it was forked from.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from events.base import Envelope
from store.errors import EventIdTaken, HistoryDiffers, StreamArchived, UnsoundImport
from store.files.atomic_files import atomic_write
from store.jsonl.check_forks import check_forks
from store.jsonl.check_references import check_names
from store.jsonl.file_lines import ChecksummedLines, Exported, line_of
from store.jsonl.read_file import RefusedFile, read_file
from store.log.event_store import EventStore
from store.read_model import queries, related_streams

__all__ = ["Imported", "RefusedFile", "export_chain", "export_episode", "export_run", "import_file"]


class Imported(NamedTuple):
    """What an import brought."""

    of: Exported
    id: str
    """Of the run, chain or episode."""
    events: int
    """In the file."""
    stored: int
    """Of them, those that were not here already."""


def export_run(store: EventStore, run: str, path: Path) -> int:
    """Write a run to a file; answers the number of events.

    Raises ``UnknownId``, ``AmbiguousId``.
    """
    id_ = queries.find_run(store, run)
    return _export(path, "run", id_, related_streams.of_run(store, id_))


def export_chain(store: EventStore, chain: str, path: Path) -> int:
    """Write a chain to a file; answers the number of events.

    Raises ``UnknownId``, ``AmbiguousId``.
    """
    id_ = queries.find_chain(store, chain)
    return _export(path, "chain", id_, related_streams.of_chain(store, id_))


def export_episode(store: EventStore, episode: str, path: Path) -> int:
    """Write an episode to a file; answers the number of events.

    Raises ``UnknownId``, ``AmbiguousId``.
    """
    id_ = queries.find_episode(store, episode)
    return _export(path, "episode", id_, related_streams.of_episode(store, id_))


def import_file(store: EventStore, path: Path) -> Imported:
    """Take in an exported file: all of it, or nothing. What is here already stays as it is.

    Raises ``RefusedFile``.
    """
    file = read_file(path)
    check_names(store, path, file)
    check_forks(store, path, file)
    # In the order in which things happened where the file comes from: causes before effects.
    envelopes = sorted(file.envelopes, key=lambda envelope: envelope.position)
    try:
        stored = store.import_envelopes(envelopes)
    except (HistoryDiffers, UnsoundImport) as error:
        line = next(
            file.line_of(index)
            for index, envelope in enumerate(file.envelopes)
            if (envelope.stream, envelope.version) == (error.stream, error.version)
        )
        why = error.why if isinstance(error, UnsoundImport) else str(error)
        raise RefusedFile(path, line, why) from error
    except StreamArchived as error:
        queries.find_run(store, error.run)  # says where it is
        raise
    except EventIdTaken as error:
        line = max(
            file.line_of(index)
            for index, envelope in enumerate(file.envelopes)
            if envelope.event_id == error.event_id
        )
        raise RefusedFile(path, line, str(error)) from error
    return Imported(file.header.of, file.header.id, len(envelopes), stored)


def _export(path: Path, of: Exported, id_: str, streams: Iterable[list[Envelope]]) -> int:
    with atomic_write(path) as unfinished, unfinished.open("wb") as file:
        lines = ChecksummedLines(file.write, of, id_)
        for stream in streams:
            for envelope in stream:
                lines.add(line_of(envelope))
        lines.finish()
    return lines.count
