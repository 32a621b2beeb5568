"""What a seat is reminded of before an episode: chosen once, and put together again from the
store whenever it is needed, the same each time."""

from collections.abc import Sequence

from actors.lifelong import prompts
from actors.lifelong.memory.module import Cue, Kept, Recall, kept_of
from actors.lifelong.memory.modules import module_for
from actors.lifelong.memory.room import room_for
from actors.social.sight import background as background_of
from actors.social.sight import view as view_of
from actors.social.views import View
from events.codec import event_of
from events.episode import EpisodeStarted
from events.memory import MemoryOpened, MemoryRecalled, MemorySpec, MemoryWritten
from events.subjects import memory_stream, stream_name
from store.history import read_history
from store.log import NEW, EventStore


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
    limit = min(most, await room_for(memory, started, episode, seat))
    return module_for(memory).choose(kept, cue_of(started, episode, seat), limit)


def cue_of(started: EpisodeStarted, episode: str, seat: int) -> Cue:
    """What a seat knows before an episode begins."""
    background = background_of(episode, started, seat)
    return Cue(
        context=background.context,
        goal=background.goal,
        others=tuple(other.label for other in background.others),
    )


def memory_text(store: EventStore, chain: str, seat: int, index: int) -> str:
    """The words a seat was reminded with before episode ``index`` of a chain; empty where it was
    reminded of nothing."""
    kept: dict[int, Kept] = {}
    memory: MemorySpec | None = None
    for envelope in store.read(memory_stream(chain, seat)):
        match event_of(envelope):
            case MemoryOpened() as opened:
                memory = opened.memory
            case MemoryWritten() as written:
                kept[written.index] = kept_of(written)
            case MemoryRecalled() as recall if recall.index == index and memory is not None:
                recalled = [kept[one] for one in recall.recalled]
                return module_for(memory).text(recalled, lambda id_: account(store, id_, seat))
    return ""


def account(store: EventStore, episode: str, seat: int) -> str:
    """An episode as a seat of it lived it; empty where it never began."""
    view = lived(store, episode, seat)
    return prompts.account(view) if view else ""


def lived(store: EventStore, episode: str, seat: int) -> View | None:
    """What a seat may know of an episode; None where it never began."""
    if store.version(stream_name("episode", episode)) == NEW:
        return None
    history = [numbered.event for numbered in read_history(store, episode)]
    if not any(isinstance(event, EpisodeStarted) for event in history):
        return None
    return view_of(history, seat)
