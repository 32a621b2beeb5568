"""Stopping what is under way: episodes, chains and runs, whichever process has them.

A run is stopped by an event in its stream, which every process that works for it reads. An episode
is stopped by its actor, which dismisses its seats; if there is no actor, the same rules append the
same event.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Literal

import msgspec
from nats import errors as nats_errors

from actors.episodes.process.factories import ENDING_TAGS
from actors.episodes.rules.decide import INITIAL, decide, evolve
from actors.runs.execution.coordinator import end_run, pause_run
from actors.runs.execution.work import Progress
from actors.runs.state import load_run, run_stream
from actors.runtime.actors.failure_event import record_failure
from actors.runtime.bus.nats_bus import Bus
from events.base import Event
from events.chain import ChainEnded, ChainFailed
from events.episode import EpisodeFailed
from events.run import RunArchived, RunPaused, RunRestored
from events.serialization.codec import decode_reply, encode
from events.wire import subjects
from events.wire.messages import Accepted, StopEpisode
from events.wire.subjects import stream_name
from gateway.errors import BadArgument, NatsAway
from gateway.process.discovery import connected
from gateway.process.lease_holders import free
from gateway.services.runs.run_status import standing_of
from gateway.settings import Settings
from store.errors import Conflict
from store.log.event_store import EventStore
from store.projections import tables as t
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_model.selections import own_episode

BY = "stopped by `troupe stop`"
FOR_GOOD = "ended by `troupe stop --end`"
"""Why a run is let go of that is ended next."""
ANSWER_S = 5.0
"""How long an episode's actor may take to stop it, in seconds."""
LET_GO_S = 10.0
"""How long it is waited until a process has let go of a run, in seconds."""
LOOK_S = 0.1
OVER_TAGS = (*ENDING_TAGS, ChainEnded.__name__, ChainFailed.__name__)
Outcome = Literal["stopped", "over"]


def stop_run(settings: Settings, store: EventStore, run: str, *, for_good: bool) -> Outcome:
    """Have a run stay where it is, and return when whoever carries it out has let go of it, or
    after some seconds. ``for_good``: also end its episodes that have begun, and the run.

    ``over``: there was nothing to stop. Takes an id in full. Blocking.
    """
    state = load_run(store, run)
    assert state is not None, "the caller looked the run up"
    if state.status == "ended" or state.imported or (state.status == "paused" and not for_good):
        return "over"
    pause_run(store, run, RunPaused(reason="stopped", detail=FOR_GOOD if for_good else BY))
    _await_release(settings, store, run)
    if for_good:
        # Twice: one may have been about to begin.
        for _ in range(2):
            stop_episodes(settings, store, _under_way(store, run))
            end_run(store, run, _progress(store, run), stopped=True)
    return "stopped"


def stop_begun(settings: Settings, store: EventStore, given: str) -> Outcome:
    """Have one episode end now. Raises ``UnknownId``, and ``BadArgument`` where it has not begun.
    Blocking."""
    row = queries.episode(store, given)
    if row.status == "planned":
        why = f"it has not begun; `troupe stop {row.run}` stops its run"
        raise BadArgument("episode", row.id, why)
    return stop_episodes(settings, store, [row.id])


def stop_episodes(settings: Settings, store: EventStore, episodes: Sequence[str]) -> Outcome:
    """Have episodes that have begun end now, with the reason ``stopped``. ``over``: all were over.
    Takes ids in full. Blocking."""
    rows = [queries.episode(store, episode) for episode in episodes]
    playing = [row.id for row in rows if row.status == "playing"]
    if not playing:
        return "over"

    async def stop() -> bool:
        async with _those_that_answer(settings) as buses:
            return any([await _stop_episode(buses, store, episode) for episode in playing])

    return "stopped" if asyncio.run(stop()) else "over"


def stop_chain(settings: Settings, store: EventStore, chain: str) -> Outcome:
    """Have a chain go no further: its episode under way ends as ``stopped``, those that have not
    begun are given up, and so is the chain. Takes an id in full. Blocking."""
    row = queries.chain(store, chain)
    if row.status in ("ended", "failed"):
        return "over"
    rows = {one.id: one for one in queries.episodes(store, chain=chain)}
    playing = [id_ for id_, one in rows.items() if one.status == "playing"]
    for id_, one in rows.items():
        if one.status == "planned":
            why = EpisodeFailed(reason=f"its chain was {BY}", attempts=0)
            _give_up(store, stream_name("episode", id_), why)
    stop_episodes(settings, store, playing)
    _give_up(store, stream_name("chain", chain), ChainFailed(reason=BY, attempts=0))
    return "stopped"


def hide_runs(
    settings: Settings, store: EventStore, given: Sequence[str], *, undo: bool
) -> dict[str, bool]:
    """Have lists leave runs out, or name them again; by id, whether that changed anything. Raises
    ``UnknownId``, and ``BadArgument`` for one that is under way. Blocking."""
    rows = [queries.run(store, one) for one in given]
    for row in rows if not undo else ():
        if standing_of(settings, store, row).under_way:
            why = f"it is under way; `troupe stop {row.id}` stops it"
            raise BadArgument("run", row.id, why)
    return {row.id: archive_run(store, row.id, undo=undo) for row in rows}


def archive_run(store: EventStore, run: str, *, undo: bool) -> bool:
    """Have lists leave a run out, or name it again; False where they do already. One that nobody
    carries out stays where it is from now on. Takes an id in full. Blocking."""
    while True:
        state = load_run(store, run)
        assert state is not None, "the caller looked the run up"
        if state.archived is not undo:
            return False
        events: list[Event] = [RunRestored() if undo else RunArchived()]
        if not undo and state.status == "running" and not state.imported:
            events.insert(0, RunPaused(reason="stopped", detail="stopped by `troupe hide`"))
        with contextlib.suppress(Conflict):
            store.append(run_stream(run), state.version, events, correlation=run)
            return True


async def _stop_episode(buses: Collection[Bus], store: EventStore, episode: str) -> bool:
    """Whether it was not over. Its actor is asked where one may be; the log has the last word."""
    command = encode(StopEpisode(detail=BY))
    for bus in buses:
        subject = subjects.command(bus.space, "episode", episode)
        try:
            answer = await bus.nats.request(subject, command, timeout=ANSWER_S)
            if isinstance(decode_reply(answer.data), Accepted):
                break
        except (nats_errors.Error, TimeoutError, msgspec.MsgspecError):
            # Nobody has it there, or nobody who still answers.
            continue
    return await asyncio.to_thread(_end, store, episode)


def _end(store: EventStore, episode: str) -> bool:
    """End an episode that has begun, whichever process plays it; returns whether a stop ended
    it."""
    stream = stream_name("episode", episode)
    while True:
        version = store.version(stream)
        state, run = INITIAL, ""
        for numbered in read_history(store, episode):
            state, run = evolve(state, numbered.event), numbered.envelope.correlation
        events = decide(state, StopEpisode(detail=BY))
        if not events:
            return state.ended == "stopped"
        with contextlib.suppress(Conflict):
            store.append(stream, version, events, correlation=run)
            return True


def _give_up(store: EventStore, stream: str, failed: EpisodeFailed | ChainFailed) -> None:
    """Record it unless it is over by then."""
    while True:
        with contextlib.suppress(Conflict):
            record_failure(store, stream, failed, unless=OVER_TAGS)
            return


def _under_way(store: EventStore, run: str) -> list[str]:
    """The planned episodes of a run that have begun and are not over."""
    playing = (t.episodes.c.run == run) & (t.episodes.c.status == "playing")
    rows = queries.episodes_where(store, playing & own_episode)
    return [row.id for row in rows]


def _progress(store: EventStore, run: str) -> Progress:
    """What of a run is done, as far as it is ever going to be."""
    row = queries.run(store, run)
    evaluations = queries.evaluations(store, run=run)
    return Progress(
        episodes_ended=row.episodes_ended,
        episodes_failed=row.episodes_failed,
        evaluations_ended=sum(one.status == "ended" for one in evaluations),
        evaluations_failed=sum(one.status == "failed" for one in evaluations),
    )


def _await_release(settings: Settings, store: EventStore, run: str) -> None:
    """Until no process carries out a run, or it takes too long."""
    end = time.monotonic() + LET_GO_S
    while not free(settings, store, [run]) and time.monotonic() < end:
        time.sleep(LOOK_S)


@contextlib.asynccontextmanager
async def _those_that_answer(settings: Settings) -> AsyncIterator[list[Bus]]:
    """Connections to whom an episode's actor may be with; none where NATS is away."""
    async with contextlib.AsyncExitStack() as stack:
        try:
            yield await stack.enter_async_context(connected(settings))
        except NatsAway:
            yield []
