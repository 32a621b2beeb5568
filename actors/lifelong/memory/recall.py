"""Selects what a seat recalls before an episode. The selection is made once; its text is built
again from the store whenever it is needed, always the same."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from actors.episodes.chain_support import AnyChains, chain_support
from actors.episodes.port.words import Account
from actors.episodes.registry import environment_of, game_of
from actors.lifelong import prompts
from actors.lifelong.memory.budget import budget_for
from actors.lifelong.memory.module import Kept, Recall, kept_of
from actors.lifelong.memory.modules import module_for
from actors.lifelong.streams import newest_first, oldest_first
from events.base import Event
from events.episode import EpisodeStarted
from events.memory import MemoryOpened, MemoryRecalled, MemorySpec, MemoryWritten
from events.serialization.codec import event_of
from events.wire.subjects import memory_stream, stream_name
from store.log.event_store import NEW, EventStore
from store.read_model.episode_history import read_history


class SeenEpisode(NamedTuple):
    """An episode as one of its seats saw it."""

    support: AnyChains
    """What its environment has for chains."""
    seat: int
    view: Any
    """The environment's own."""
    account: Account
    """The same in words."""


async def choose(
    memory: MemorySpec,
    kept: Sequence[Kept],
    started: EpisodeStarted,
    episode: str,
    seat: int,
    *,
    most: int,
) -> Recall:
    """What ``seat`` is reminded of before the episode that ``started`` is to begin. ``kept``: all
    earlier episodes, oldest first; ``most``: tokens that can be sent to the seat at all."""
    limit = min(most, await budget_for(memory, started, episode, seat))
    return module_for(memory).choose(kept, cue_of(started, episode, seat), limit)


def cue_of(started: EpisodeStarted, episode: str, seat: int) -> str:
    """What a seat knows before an episode begins, in words."""
    background = game_of(started).sight.background(episode, started, seat, "")
    return chain_support(environment_of(started)).cue(background)


def memory_text(store: EventStore, chain: str, seat: int, index: int) -> str:
    """The words a seat was reminded with before episode ``index`` of a chain; empty where it was
    reminded of nothing."""
    stream = memory_stream(chain, seat)
    tagged = (one for one in oldest_first(store, stream) if one.tag == MemoryOpened.__name__)
    first = next(tagged, None)
    recall = _recall_before(store, stream, index)
    if first is None or recall is None:
        return ""
    opened = event_of(first)
    assert isinstance(opened, MemoryOpened)
    kept = _kept(store, stream, recall.recalled)
    return module_for(opened.memory).text(
        [kept[one] for one in recall.recalled],
        lambda id_: retelling(store, id_, seat, opened.memory.prompt_version),
    )


def _recall_before(store: EventStore, stream: str, index: int) -> MemoryRecalled | None:
    for envelope in newest_first(store, stream):
        if envelope.tag == MemoryRecalled.__name__:
            recall = event_of(envelope)
            assert isinstance(recall, MemoryRecalled)
            if recall.index <= index:
                return recall if recall.index == index else None
    return None


def _kept(store: EventStore, stream: str, indices: Collection[int]) -> dict[int, Kept]:
    """What is kept of some episodes, by index."""
    wanted, kept = set(indices), dict[int, Kept]()
    for envelope in newest_first(store, stream):
        if not wanted:
            break
        if envelope.tag == MemoryWritten.__name__:
            written = event_of(envelope)
            assert isinstance(written, MemoryWritten)
            if written.index in wanted:
                wanted.discard(written.index)
                kept[written.index] = kept_of(written)
    return kept


def retelling(store: EventStore, episode: str, seat: int, asked: str = prompts.NOTE) -> str:
    """An episode as a seat of it saw it, in words; empty where it never began. ``asked``: the
    ``prompt_version`` of the memory that tells it."""
    seen = seen_episode(store, episode, seat)
    template = prompts.account_template(asked)
    return prompts.retelling(seen.account, seat, template=template) if seen else ""


def seen_episode(store: EventStore, episode: str, seat: int) -> SeenEpisode | None:
    """An episode as a seat of it saw it; None where it never began. Blocking."""
    if store.version(stream_name("episode", episode)) == NEW:
        return None
    history = [numbered.event for numbered in read_history(store, episode)]
    return seen_in(history, seat)


def seen_in(history: Sequence[Event], seat: int) -> SeenEpisode | None:
    """A history as a seat saw it; None where the episode never began."""
    started = next((event for event in history if isinstance(event, EpisodeStarted)), None)
    if started is None:
        return None
    game = game_of(started)
    view = game.sight.view(history, seat)
    return SeenEpisode(chain_support(environment_of(started)), seat, view, game.words.account(view))
