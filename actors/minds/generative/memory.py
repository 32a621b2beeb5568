"""A mind's memory stream (Generative Agents, section 4.1): its experiences and thoughts, and when
each was last retrieved."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from actors.minds.generative.hashed_vectors import Vectors, hashed, scaled, unpacked
from events.thoughts import MemoryAdded

Floats = NDArray[np.float64]
Ranks = NDArray[np.int8]

NEVER: Final = float("inf")
"""When what is never forgotten is forgotten."""
EVENT, THOUGHT, UNRANKED = 0, 1, 2
"""Kinds of memories in the order in which the published code lists them. It leaves out talks, for
each is an event too, and whatever is idle."""


class Memories:
    """All memories of one agent, in columns, so that thousands are compared at once.

    A memory's row is its id: ids are given from 0 on without holes (``added`` says so).
    """

    def __init__(self, embed: Callable[[Sequence[str]], Vectors] | None = hashed) -> None:
        """``embed`` makes the vectors of memories from their texts; None: vectors come in the
        memories, or by ``embedded``."""
        self._embed = embed
        self._kept: list[MemoryAdded] = []
        self._used: Floats = np.zeros(16)
        self._importance: Floats = np.zeros(16)
        self._expires: Floats = np.zeros(16)
        self._kinds: Ranks = np.zeros(16, np.int8)
        self._vectors: Vectors | None = None
        self._with_vector = 0
        """The first so many rows of ``_vectors`` are filled in, except for ``_missing``."""
        self._missing: set[int] = set()

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, id: int) -> MemoryAdded:
        return self._kept[id]

    def __iter__(self) -> Iterator[MemoryAdded]:
        return iter(self._kept)

    @property
    def used(self) -> Floats:
        """When each was last thought of, in seconds of the episode's time."""
        return self._used[: len(self)]

    @property
    def importance(self) -> Floats:
        """1 to 10."""
        return self._importance[: len(self)]

    @property
    def expires(self) -> Floats:
        """When each is forgotten, in seconds of the episode's time."""
        return self._expires[: len(self)]

    @property
    def kinds(self) -> Ranks:
        """``EVENT``, ``THOUGHT`` or ``UNRANKED``."""
        return self._kinds[: len(self)]

    def add(self, memory: MemoryAdded) -> None:
        """Keep one more. Raises ``ValueError`` where its id is not the next one."""
        row = len(self._kept)
        if memory.id != row:
            raise ValueError(f"memory {memory.id} follows {row} others; its id must be {row}")
        if row == len(self._used):
            self._used = _doubled(self._used)
            self._importance = _doubled(self._importance)
            self._expires = _doubled(self._expires)
            self._kinds = np.concatenate((self._kinds, np.zeros_like(self._kinds)))
        self._used[row] = memory.at
        self._importance[row] = memory.importance
        self._expires[row] = NEVER if memory.expires is None else memory.expires
        idle = memory.kind == "talk" or "idle" in memory.text
        self._kinds[row] = UNRANKED if idle else THOUGHT if memory.kind == "thought" else EVENT
        self._kept.append(memory)

    def use(self, ids: Iterable[int], at: float) -> None:
        """These were thought of. What is not there is passed over."""
        for id in ids:
            if 0 <= id < len(self):
                self._used[id] = max(self._used[id], at)

    def latest(self, most: int, at: float) -> list[MemoryAdded]:
        """The last so many that are not forgotten, oldest first."""
        found: list[MemoryAdded] = []
        for row in range(len(self) - 1, -1, -1):
            if len(found) == most:
                break
            if self._expires[row] > at:
                found.append(self._kept[row])
        return found[::-1]

    def vectors(self, width: int) -> Vectors:
        """A row a memory, of ``width`` numbers; zeros where there is none."""
        if self._vectors is None or self._vectors.shape[1] != width:
            self._vectors, self._with_vector = np.zeros((16, width), np.float32), 0
            self._missing.clear()
        while len(self._vectors) < len(self):
            grown = np.zeros((2 * len(self._vectors), width), np.float32)
            grown[: len(self._vectors)] = self._vectors
            self._vectors = grown
        if self._with_vector < len(self):
            self._fill(self._with_vector, width)
            self._with_vector = len(self)
        return self._vectors[: len(self)]

    def without_vector(self, width: int) -> list[int]:
        """Memories whose vector must be asked for: of one that another mind wrote, for example."""
        self.vectors(width)
        return sorted(self._missing)

    def embedded(self, ids: Sequence[int], vectors: Vectors) -> None:
        """The vectors of memories that had none."""
        table = self.vectors(vectors.shape[1])
        table[list(ids)] = scaled(vectors)
        self._missing.difference_update(ids)

    def _fill(self, start: int, width: int) -> None:
        assert self._vectors is not None
        if self._embed is not None:
            new = [memory.text for memory in self._kept[start:]]
            self._vectors[start : len(self)] = self._embed(new)
            return
        for row in range(start, len(self)):
            data = self._kept[row].embedding
            if len(data) == 4 * width:
                self._vectors[row] = scaled(unpacked(data)[None, :])[0]
            else:
                self._missing.add(row)


def _doubled(column: Floats) -> Floats:
    return np.concatenate((column, np.zeros_like(column)))
