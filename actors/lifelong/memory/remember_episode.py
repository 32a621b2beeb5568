"""Records what a seat remembers of an episode that has ended, as an event."""

import asyncio

from actors.lifelong import prompts
from actors.lifelong.memory.modules import module_for
from actors.lifelong.memory.notes import write_note
from actors.lifelong.memory.prompt_entries import entry, note_text, tokens_of
from actors.lifelong.memory.recall import SeenEpisode, seen_episode
from actors.models import tokens
from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from actors.models.recording.call_log import CallRecorder
from events.memory import MemorySpec, MemoryWritten
from events.minds import MindSpec, ModelSpec
from store.log.event_store import EventStore


def writer_of(memory: MemorySpec, mind: MindSpec) -> ModelSpec | None:
    """The model that writes the notes of a seat; None: fixed rules do."""
    return memory.model or (mind.model if mind.asks else None)


async def remember(
    store: EventStore,
    memory: MemorySpec,
    mind: MindSpec,
    *,
    seat: int,
    index: int,
    episode: str,
    caller: ModelCaller,
    calls: CallRecorder,
    budget: BudgetKeeper | None = None,
) -> MemoryWritten:
    """What ``seat`` keeps of episode ``index`` of its chain: nothing where it never began.

    The writer's calls are recorded through ``calls``, so that none is paid for twice. Raises
    ``BudgetSpent``, and ``UnknownPrompt`` where the memory's prompt is not here any more.
    """
    module = module_for(memory)
    nothing = MemoryWritten(index=index, episode=episode, tokens=0)
    if module.keeps == "nothing":
        return nothing
    seen = await asyncio.to_thread(seen_episode, store, episode, seat)
    if seen is None:
        return nothing
    await tokens.ready()
    if module.keeps == "episodes":
        template = prompts.account_template(memory.prompt_version)
        words = entry(index, prompts.retelling(seen.account, seat, template=template))
        return MemoryWritten(index=index, episode=episode, tokens=tokens_of(words))
    return await _noted(memory, seen, mind, index, episode, caller, calls, budget)


async def _noted(
    memory: MemorySpec,
    seen: SeenEpisode,
    mind: MindSpec,
    index: int,
    episode: str,
    caller: ModelCaller,
    calls: CallRecorder,
    budget: BudgetKeeper | None,
) -> MemoryWritten:
    written = await write_note(
        memory,
        seen,
        index,
        model=writer_of(memory, mind),
        caller=caller,
        calls=calls,
        budget=budget,
    )
    note = written.note
    return MemoryWritten(
        index=index,
        episode=episode,
        note=note,
        words=written.words,
        tokens=tokens_of(entry(index, note_text(note, memory.prompt_version))) if note else 0,
        writer=written.writer,
        attempts=written.attempts,
        within_bounds=written.within_bounds,
        cost_usd=written.cost_usd,
        input_tokens=written.input_tokens,
        output_tokens=written.output_tokens,
    )
