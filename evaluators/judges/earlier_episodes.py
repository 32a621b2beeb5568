"""The earlier episodes of a chain, as a judge may look back at them."""

from collections.abc import Iterator, Sequence
from typing import overload

import structlog

from evaluators.judges.judged_episode import History, JudgedEpisode, started_of
from events.chain import ChainStarted
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.read_model.episode_history import read_history

log = structlog.get_logger(__name__)


class EarlierEpisodes(Sequence[History]):
    """The histories of a chain's earlier episodes, the first first; empty for one that never began.

    Each is read when it is asked for and not kept, so that a long past costs no more than what a
    judge looks at. Reading blocks: not for the event loop.
    """

    def __init__(self, store: EventStore, episodes: Sequence[str]) -> None:
        """``episodes``: the ids of the earlier episodes, in order."""
        self._store = store
        self._episodes = tuple(episodes)

    def __len__(self) -> int:
        return len(self._episodes)

    @overload
    def __getitem__(self, index: int) -> History: ...

    @overload
    def __getitem__(self, index: slice) -> "EarlierEpisodes": ...

    def __getitem__(self, index: int | slice) -> "History | EarlierEpisodes":
        if isinstance(index, slice):
            return EarlierEpisodes(self._store, self._episodes[index])
        try:
            history = read_history(self._store, self._episodes[index])
        except UnknownId:
            return ()
        return history if started_of(history) else ()


def past_of(store: EventStore, history: History) -> EarlierEpisodes:
    """What was before an episode, by its history; nothing for one that belongs to no chain.

    A chain that is not in the store (its episode was imported alone) leaves the judge without a
    past, too.
    """
    started = started_of(history)
    if started is None or not started.chain:
        return EarlierEpisodes(store, ())
    envelopes = store.read(stream_name("chain", started.chain), 0, 0)
    chain = event_of(envelopes[0]) if envelopes else None
    if not isinstance(chain, ChainStarted):
        log.warning("chain_unknown", chain=started.chain, index=started.index)
        return EarlierEpisodes(store, ())
    return EarlierEpisodes(store, chain.episodes[: started.index])


def latest(past: Sequence[History]) -> Iterator[tuple[int, JudgedEpisode]]:
    """Index of each earlier episode that was played, and the episode; the latest first, each read
    when it is its turn."""
    for index in reversed(range(len(past))):
        history = past[index]
        if history:
            yield index, JudgedEpisode(history)
