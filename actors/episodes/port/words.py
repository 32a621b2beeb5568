"""An episode as text, for terminals, pages and judges, which do not depend on the environment."""

import abc
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from actors.episodes.port.sight import Notice, Viewer
from events.base import Value
from events.episode import EpisodeStarted

V = TypeVar("V")
N = TypeVar("N", bound=Notice)

OTHER_ENDINGS: Final = {
    "abandoned": "somebody did not answer in time",
    "stopped": "it was stopped",
    "failed": "it failed and was given up",
}
"""Endings that no environment's rules know, in words."""


class Entry(Value, frozen=True, kw_only=True):
    """Something that happened, as an account tells it."""

    number: int
    """The event's number in the history."""
    turn: int
    seat: int | None = None
    """Who did it; None: nobody in particular."""
    who: str = ""
    """How the reader calls them."""
    kind: str = ""
    """What kind of thing it was, in one word of the environment's."""
    text: str = ""
    """The words said, or what was done, alone."""
    line: str
    """The whole of it, as a line of a transcript."""
    to: tuple[int, ...] = ()
    """The seats that alone could notice it; empty: everybody."""
    failed: str = ""
    """Why there was no answer, where the seat's mind gave none."""
    note: str = ""
    """How it came to be what it is, where that is not plain, for those who know everything."""
    verb: str = ""
    """How pages introduce ``text``: ``does``, ``leaves``; empty: it was said."""
    idle: bool = False
    """Nothing was done."""
    when: str = ""
    """When it was by the environment's own clock, in words; empty: it has none."""


class Portrait(Value, frozen=True, kw_only=True):
    """A seat, as an account tells of it."""

    seat: int
    name: str
    """How the reader calls them."""
    facts: tuple[tuple[str, str], ...] = ()
    """What is known of them, each with what it is."""
    brief: tuple[str, ...] = ()
    """The most important of it, a line each, where that reads better than ``facts``."""
    goal: str = ""
    """What it is after, where the reader may know."""
    secret: str = ""
    """What it hides, where the reader may know."""


class Account(Value, frozen=True, kw_only=True):
    """A whole episode as one reader may know it, in words. Terminals, pages and judges read it
    without knowing the environment."""

    situation: str
    """What is given before the first turn."""
    portraits: tuple[Portrait, ...]
    """One a seat, in their order."""
    relationships: tuple[str, ...] = ()
    """What is between seats, a sentence or two each."""
    entries: tuple[Entry, ...]
    """What happened, in order."""
    notes: tuple[tuple[str, str], ...] = ()
    """More that the reader knows, each under a heading."""
    turn: int
    """The last turn opened."""
    ended: str = ""
    """The ending's name; empty while it goes on."""
    ending: str = ""
    """The ending, as half a sentence: ``the turn cap was reached``."""
    detail: str = ""
    """More about the end, where the reader may know."""


class EpisodeWords(abc.ABC, Generic[V, N]):
    """What a viewer may see, in words."""

    @abc.abstractmethod
    def account(self, view: V) -> Account:
        """A view of the game's ``sight`` in words."""

    @abc.abstractmethod
    def entry_writer(self, started: EpisodeStarted, viewer: Viewer) -> Callable[[N], Entry]:
        """What makes an entry of the viewer's account of each notice, one by one, for those who
        follow an episode."""
