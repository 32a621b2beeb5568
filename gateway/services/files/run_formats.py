"""Formats in which an environment writes whole runs in a way of its own, with its scores: those of
``actors.episodes.formats`` are of one episode a line.

An entry of the group ``troupe.exports``, under the environment's name, is a mapping of
``RunFormat`` by the names that ``troupe export --format`` calls them by. Its module imports nothing
heavy.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from gateway.services.runs.resolve_ids import ResolvedId
from store.log.event_store import EventStore

GROUP: Final = "troupe.exports"


class ExportChoices(NamedTuple):
    """What a person chose of it."""

    filters: Path | None = None
    """A file of filters."""
    options: Sequence[str] = ()
    """Filters as ``KEY=VALUE``, which change those of the file."""
    exclude: Sequence[Path] = ()
    """Lists of scenarios that are left out."""

    @property
    def given(self) -> str:
        """The first option that was used; empty: none."""
        names = ("--filters", "--filter", "--exclude")
        return next((name for name, value in zip(names, self, strict=True) if value), "")


NOTHING_CHOSEN: Final = ExportChoices()


class WrittenLines(NamedTuple):
    lines: int
    paths: Sequence[Path]
    left_out: int
    """Episodes that have not ended."""
    sentence: str


class WriteRuns(Protocol):
    """Writes runs, chains and episodes (ids in full) into a file, and what goes with it beside it.

    ``told``: told how many episodes were read so far. Raises ``BadArgument``, ``BadFile``,
    ``OSError``; then nothing is written.
    """

    def __call__(
        self,
        store: EventStore,
        what: Sequence[ResolvedId],
        path: Path,
        choices: ExportChoices,
        told: Callable[[int], object],
    ) -> WrittenLines: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFormat:
    about: str
    """What a line is, in some words, for the help of the command."""
    suffix: str
    """What follows the id in the names of files that are written."""
    write: Callable[..., WrittenLines]
    """A ``WriteRuns``, or a ``LazyFunction`` of one."""


@cache
def run_formats() -> Mapping[str, RunFormat]:
    """Those of all installed environments by name."""
    found: dict[str, RunFormat] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        found |= entry.load()
    return found
