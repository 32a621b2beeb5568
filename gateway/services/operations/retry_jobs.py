"""Retries dead jobs after their cause has been fixed.

What a job was for is recorded as failed when it dies, so that its run can end. That is taken back
by an event of its own; the run, which may have ended meanwhile, goes on.
"""

import asyncio
from collections.abc import Sequence
from typing import Literal

from actors.episodes.rules.decide import Reopen, decide
from actors.episodes.views.inconsistent_history import state_after
from actors.runs.judges import added_judge, planned_judge
from actors.runs.state import RunState, load_run
from actors.runtime.jobs.delivery import impossible
from actors.runtime.jobs.queue import DeadJob, JobQueue
from events.base import Event, Value
from events.episode import EpisodeEnded, EpisodeFailed
from events.evaluation import EvaluationEnded, EvaluationFailed, EvaluationReopened
from events.serialization.codec import event_of
from events.wire.messages import Evaluate, Job
from events.wire.subjects import stream_name
from gateway.services.runs.plan_run import resume_run
from store.log.event_store import NEW, EventStore
from store.read_model.episode_history import read_history

BY = "troupe jobs retry"
"""What reopened streams say of who asked."""

Outcome = Literal["retried", "done", "refused"]


class Retried(Value, frozen=True, kw_only=True):
    """What became of a dead job."""

    kind: str
    id: str
    """The episode or evaluation."""
    run: str = ""
    outcome: Outcome
    """``retried``: it is to be done again; ``done``: it was done meanwhile; either way it is dead
    no more. ``refused``: it stays dead."""
    why: str
    """In a sentence."""


async def retry(
    store: EventStore, jobs: JobQueue, letters: Sequence[DeadJob], *, shared: bool
) -> list[Retried]:
    """Have dead jobs tried again, one after the other.

    ``shared``: whether the queue is one that workers take jobs from; an embedded one is emptied
    by whoever starts it next. Raises ``JobsUnavailable``, ``BusDown``, and what the store raises;
    those before are retried then, the others stay dead.
    """
    found = []
    for letter in letters:
        retried = await _retry(store, jobs, letter, shared=shared)
        if retried.outcome != "refused":
            await jobs.discard(letter)
        found.append(retried)
    return found


async def _retry(store: EventStore, jobs: JobQueue, letter: DeadJob, *, shared: bool) -> Retried:
    job = letter.job
    if job is None:
        return _retried(letter, None, "refused", f"it is no job of this version: {letter.reason}")
    if why := impossible(job, "evaluation" if isinstance(job, Evaluate) else "episode"):
        return _retried(letter, None, "refused", f"it can never be done: {why}")
    state = await asyncio.to_thread(load_run, store, job.run) if job.run else None
    if chain := _chain_of(job, state):
        why = (
            f"its chain {chain} went on or ended without it, and what came later rests on that; "
            "fork the episode, or play the plan again"
        )
        return _retried(letter, job, "refused", why)
    if state is not None and state.awaits_consent:
        why = f"its run came in a file; `troupe resume {job.run}` shows what it would send where"
        return _retried(letter, job, "refused", why)
    if await asyncio.to_thread(_reopen, store, job) == "done":
        return _retried(letter, job, "done", "it was done meanwhile")
    if state is not None and _is_planned(job, state):
        # Whoever carries out the run queues it.
        if state.status == "ended":
            await asyncio.to_thread(resume_run, store, job.run, detached=state.detached)
        return _retried(letter, job, "retried", _how_it_goes_on(job.run, state))
    if not shared:
        how = await asyncio.to_thread(_by_hand, store, job)
        return _retried(letter, job, "retried", f"`{how}` goes on with it")
    kind: Literal["episode", "evaluation"] = (
        "evaluation" if isinstance(job, Evaluate) else "episode"
    )
    await jobs.enqueue(kind, job, id=f"{letter.queued_as}/{letter.sequence}/retried")
    return _retried(letter, job, "retried", "it is in the queue")


def _reopen(store: EventStore, job: Job) -> Literal["done", "open"]:
    """Take back that the job's stream failed, if it says so."""
    if isinstance(job, Evaluate):
        stream = stream_name("evaluation", job.evaluation)
    else:
        stream = stream_name("episode", job.episode)
    version = store.version(stream)
    if version == NEW:
        return "open"
    (last,) = store.read(stream, version)
    reopened: Sequence[Event]
    match event_of(last):
        case EpisodeEnded() | EvaluationEnded():
            return "done"
        case EpisodeFailed():
            history = read_history(store, job.episode)
            state = state_after(numbered.event for numbered in history)
            reopened = decide(state, Reopen(detail=BY))
        case EvaluationFailed():
            reopened = (EvaluationReopened(detail=BY),)
        case _:
            return "open"
    store.append(stream, version, reopened, correlation=last.correlation)
    return "open"


def _chain_of(job: Job, state: RunState | None) -> str:
    """The chain whose episode the job was to play; empty: none."""
    if state is None or isinstance(job, Evaluate):
        return ""
    chain = state.chain_of(job.episode)
    return chain.id if chain is not None else ""


def _is_planned(job: Job, state: RunState) -> bool:
    """Whether the job is part of the run, not of something that was done with it later."""
    if isinstance(job, Evaluate) and planned_judge(job, state.plan.judges) is None:
        return False
    return any(episode.id == job.episode for episode in state.episodes)


def _by_hand(store: EventStore, job: Job) -> str:
    if isinstance(job, Evaluate):
        judge = added_judge(store, job.judge_hash)
        return f"troupe score {job.episode} --judge {judge.name if judge else 'JUDGE.toml'}"
    return f"troupe resume {job.episode}"


def _how_it_goes_on(run: str, state: RunState) -> str:
    if state.status == "paused":
        return f"`troupe resume {run}` goes on with it"
    if state.detached:
        return "the server that carries out its run queues it"
    return f"its run queues it; if it does not run, `troupe resume {run}` goes on with it"


def _retried(letter: DeadJob, job: Job | None, outcome: Outcome, why: str) -> Retried:
    return Retried(
        kind=letter.kind,
        id=letter.id or letter.queued_as,
        run=job.run if job is not None else "",
        outcome=outcome,
        why=why,
    )
