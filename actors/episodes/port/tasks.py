"""The tasks of a game: what a plan can play."""

import abc
from collections.abc import Sequence
from typing import Generic, TypeVar

from actors.episodes.catalogs.entries import Beginning, TaskEntry
from events.environments import Catalog, Settings

C = TypeVar("C", bound=Catalog)
T = TypeVar("T", bound=Settings)


class Tasks(abc.ABC, Generic[C, T]):
    """The tasks of a game in a catalog."""

    @abc.abstractmethod
    def entries(self, catalog: C) -> Sequence[TaskEntry]:
        """What a plan can choose from, in the catalog's order."""

    @abc.abstractmethod
    def begin(self, catalog: C, task: str, settings: T, seed: int) -> Beginning:
        """How an episode of a task begins. ``seed`` is the episode's own. Raises
        ``MissingItem``."""
