"""The file formats of other programs that an environment can read and write: its ``formats``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from actors.episodes.registry import environment_named
from events.base import Event, Value
from events.environments import Catalog, installed
from events.evaluation import JudgeSpec, ScoreAbstained, Scored, ScoreFailed

Score = Scored | ScoreFailed | ScoreAbstained


class Judged(Value, frozen=True, kw_only=True):
    """One judge's scores of an episode."""

    judge: JudgeSpec
    scores: tuple[Score, ...]


class LogName(NamedTuple):
    """How a file calls one judge's scores of an episode."""

    key: str
    """No other in the file is called so; see ``log_key``."""
    tag: str
    """The experiment's name."""


UNNAMED = LogName("", "")
_ANOTHER_JUDGE = "~"


def log_key(episode: str, number: int) -> str:
    """What a file calls an episode with the scores of its judge ``number``, from 0: files that
    have room for one judge have the episode once for each."""
    return f"{episode}{_ANOTHER_JUDGE}{number + 1}" if number else episode


def episode_key(key: str) -> str:
    """The episode that a ``log_key`` is of."""
    return key.partition(_ANOTHER_JUDGE)[0]


class ImportedEpisode(NamedTuple):
    """One episode of a file, as one judge scored it."""

    place: str
    """Where it stands: the file and the line."""
    key: str
    """What the file calls the episode: what has the same key is the same. Empty: nothing."""
    events: tuple[Event, ...]
    """Its history, from ``EpisodeStarted`` to its end."""
    judged: Judged | None
    """The scores that came with it; None where nobody scored it."""
    notes: tuple[str, ...]
    """What is odd about it, in sentences."""


class PublishedCatalog(NamedTuple):
    """A catalog that was read."""

    catalog: Catalog
    notes: tuple[str, ...]
    """What is odd about it, in sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeFormat:
    """Files of ended episodes, a line each."""

    title: str
    """What one line is called: ``EpisodeLog``."""
    plural: str
    """What a file is said to hold: ``episode logs``."""
    suffix: str
    """What follows the id in the names of files that are written: ``-episodelog.jsonl``."""
    write: Callable[[Sequence[Event], Judged | None, LogName], str] | None = None
    """The line of a history that has ended, with one judge's scores, and without a line's end;
    None: it is only read."""
    recognizes: Callable[[bytes], bool] = lambda _: False
    """Whether a file that begins like this, with some thousand bytes, may be one."""
    read: Callable[[Path, Catalog], Sequence[ImportedEpisode]] | None = None
    """All episodes of a file, or of the files in a folder, or none: raises ``ValueError`` with
    what is wrong. The catalog says what ids in it mean. None: it is only written."""
    catalog: str = ""
    """The catalog that ids in it are of where none is named."""


class WrittenCatalog(NamedTuple):
    files: tuple[str, ...]
    """The names of its files."""
    notes: tuple[str, ...] = ()
    """A sentence for everything that they have no room for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogFormat:
    """A folder of files that together are a catalog."""

    title: str
    """Whose files these are, as catalogs name their source: ``SOTOPIA's published files``."""
    files: tuple[str, ...] = ()
    """Their names; all have to be there. Empty: they may be called anything, and end in
    ``.json``; ``recognizes`` tells them."""
    folders: tuple[str, ...] = ()
    """Or else these, each with a file an item; empty: there is no such form."""
    recognizes: Callable[[bytes], bool] = lambda _: False
    """Whether a file that begins like this, with some thousand bytes, may be one of it; asked
    where files have no names of their own."""
    read: Callable[[Path, str], PublishedCatalog]
    """The catalog in a folder, under this name. Raises ``ValueError`` with what is wrong; where
    that is several things, the error's ``rows`` are a sentence each."""
    names_itself: bool = False
    """Whether the files say what the catalog is called: ``read`` is given an empty name where
    nobody gives one. Otherwise it is called as the format."""
    write: Callable[[Catalog, Path], WrittenCatalog] | None = None
    """Write the files into a folder, which is there. None: it is only read. Raises ``OSError``,
    and ``ValueError`` where it is no catalog for such files."""

    @property
    def holds(self) -> str:
        """What a folder of it holds, in words."""
        return ", ".join(self.files) or "*.json"


class Formats(NamedTuple):
    """What an environment reads and writes, by the names that commands call it by."""

    episodes: Mapping[str, EpisodeFormat]
    catalogs: Mapping[str, CatalogFormat]


NO_FORMATS = Formats({}, {})


@cache
def episode_formats() -> Mapping[str, tuple[str, EpisodeFormat]]:
    """Those of all installed environments by name, each with its environment's."""
    return {
        name: (environment, form)
        for environment in installed()
        for name, form in environment_named(environment).formats.episodes.items()
    }


@cache
def catalog_formats() -> Mapping[str, CatalogFormat]:
    """Those of all installed environments by name."""
    return {
        name: form
        for environment in installed()
        for name, form in environment_named(environment).formats.catalogs.items()
    }
