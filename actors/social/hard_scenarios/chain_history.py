"""A chain's episodes as its seats lived them."""

from collections.abc import Sequence
from functools import cached_property

from actors.social.sight import view
from actors.social.views import SeenAction, View
from events.base import Event
from events.chain import ChainStarted
from events.episode import EpisodeStarted
from events.serialization.codec import event_of
from events.untrusted.safe_text import shortened
from events.wire.subjects import stream_name
from store.log.event_store import NEW, EventStore
from store.read_model.episode_history import read_history

SPOKEN = ("speak", "leave")
"""Kinds of actions in which something may be said."""


class NoPast(LookupError):
    """A chain of which nothing was played yet."""

    def __init__(self, chain: str) -> None:
        super().__init__(
            f"nothing of chain {shortened(chain)!r} was played yet, so there is nothing to find"
        )
        self.chain = chain


class PastEpisode:
    """One episode of a chain, as far as it was played."""

    def __init__(self, id_: str, history: Sequence[Event]) -> None:
        """Raises ``ValueError`` for a history without a start."""
        started = next((event for event in history if isinstance(event, EpisodeStarted)), None)
        if started is None:
            raise ValueError(f"episode {id_!r} never began")
        self.id, self.started, self._history = id_, started, history

    @property
    def index(self) -> int:
        """Its place in the chain."""
        return self.started.index

    @property
    def scenario(self) -> str:
        """The scenario's id."""
        return self.started.scenario

    @cached_property
    def views(self) -> tuple[View, ...]:
        """What each seat saw of it."""
        return tuple(view(self._history, seat) for seat in range(len(self.started.minds)))

    @cached_property
    def said(self) -> tuple[SeenAction, ...]:
        """What was said so that every seat heard it, in order."""
        heard = [{line.number for line in view.lines if line.text} for view in self.views]
        common = set.intersection(*heard)
        return tuple(
            line for line in self.views[0].lines if line.number in common and line.kind in SPOKEN
        )

    def seen_by(self, seat: int) -> str:
        """All the words that a seat saw: the situation, its goal, and what it noticed."""
        seen = self.views[seat]
        goal = seen.profiles[seat].goal or ""
        return "\n".join((seen.context, goal, *(line.text for line in seen.lines)))


class ChainPast:
    """A chain with those of its episodes that have begun."""

    def __init__(self, chain: str, begun: ChainStarted, episodes: Sequence[PastEpisode]) -> None:
        self.chain, self.begun, self.episodes = chain, begun, tuple(episodes)

    @property
    def latest(self) -> EpisodeStarted:
        """How the last of them began: who is in the chain, and how they stand to each other."""
        return self.episodes[-1].started


def chain_past(store: EventStore, chain: str) -> ChainPast:
    """What was played of a chain so far. Blocking. Raises ``NoPast``."""
    first = store.read(stream_name("chain", chain), 0, 0)
    begun = event_of(first[0]) if first else None
    if not isinstance(begun, ChainStarted):
        raise NoPast(chain)
    episodes = []
    for id_ in begun.episodes:
        if store.version(stream_name("episode", id_)) == NEW:
            continue
        history = [numbered.event for numbered in read_history(store, id_)]
        if any(isinstance(event, EpisodeStarted) for event in history):
            episodes.append(PastEpisode(id_, history))
    if not episodes:
        raise NoPast(chain)
    return ChainPast(chain, begun, episodes)
