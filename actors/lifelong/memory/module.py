"""The interface of memory modules, and the values they work with."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from events.base import Value
from events.memory import MemorySpec, MemoryWritten, Note

Keeps = Literal["nothing", "episodes", "notes"]


class Kept(Value, frozen=True, kw_only=True):
    """What is kept of one earlier episode."""

    index: int
    """The episode's place in the chain: 0, 1, 2, …"""
    episode: str
    note: Note | None = None
    words: int = 0
    """Words of the note."""
    tokens: int = 0
    """Tokens its entry takes in a prompt; 0: there is nothing to be reminded of."""


class Recall(Value, frozen=True, kw_only=True):
    """What a seat is reminded of before an episode; the fields are ``MemoryRecalled``'s."""

    recalled: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    tokens: int = 0
    limit: int


class MemoryModule(Protocol):
    """Decides what is kept of an episode and what a seat is reminded of before the next.

    A new module is a class with these members and an entry in ``modules.MODULES`` (and its name
    in ``events.memory.MemoryModule``). It holds no state: everything it needs is handed to it.
    """

    spec: MemorySpec
    keeps: Keeps
    """``notes``: a note is written after each episode; ``episodes``: the episode itself is kept,
    so nothing needs to be written; ``nothing``."""

    @property
    def writes_notes(self) -> bool:
        """Whether somebody has to write a note after each episode."""
        ...

    def choose(self, kept: Sequence[Kept], cue: str, limit: int) -> Recall:
        """What of ``kept`` (all earlier episodes, oldest first) to recall within ``limit`` tokens.

        ``cue``: what the seat knows of the episode that is about to begin, in words.

        Pure: the same arguments give the same answer. ``tokens`` of the answer is never more than
        ``limit``.
        """
        ...

    def text(self, recalled: Sequence[Kept], retell: Callable[[str], str]) -> str:
        """What stands in the prompt, for what was chosen; empty for nothing.

        ``retell`` tells an episode, by its id, as the seat saw it.
        """
        ...


def kept_of(written: MemoryWritten) -> Kept:
    """What an event says is kept."""
    return Kept(
        index=written.index,
        episode=written.episode,
        note=written.note,
        words=written.words,
        tokens=written.tokens,
    )
