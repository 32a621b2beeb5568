"""A chain: the same characters meet again and again. Stream ``chain-<id>``.

LIFELONG-SOTOPIA (Goel and Zhu 2025), section 3: an ordered list of scenarios, each an ordinary
episode.
"""

from typing import Literal

from events.base import Event
from events.memory import MemorySpec
from events.minds import MindSpec

EpisodeOutcome = Literal["ended", "failed"]


class ChainStarted(Event, frozen=True, kw_only=True):
    """The characters are about to meet for the first time."""

    run: str
    """The run it is played for."""
    catalog: str
    """The catalog's name."""
    characters: tuple[str, ...]
    """Ids, in the order of the seats."""
    minds: tuple[MindSpec, ...]
    """One mind a seat."""
    memory: MemorySpec
    """How the characters remember."""
    episodes: tuple[str, ...]
    """The episodes' ids, in order."""
    scenarios: tuple[str, ...]
    """The episodes' scenarios' ids, in order."""


class ChainAdvanced(Event, frozen=True, kw_only=True):
    """One more episode of the chain is over and remembered."""

    index: int
    """The episode's place in the chain: 0, 1, 2, …"""
    episode: str
    """The episode's id."""
    outcome: EpisodeOutcome
    """``failed``: it was given up, and the chain went on without it."""


class ChainEnded(Event, frozen=True, kw_only=True):
    """All episodes of the chain are over. Appended with the last ``ChainAdvanced``."""

    ended: int
    """Episodes that came to an end."""
    failed: int
    """Episodes that were given up."""


class ChainFailed(Event, frozen=True, kw_only=True):
    """The chain was given up after its actor failed again and again."""

    reason: str
    """What went wrong, as a sentence."""
    attempts: int
    """How often it was tried."""
