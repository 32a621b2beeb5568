"""Interviews from outside: who may be asked, at what moment of an episode, for whose budget.

Any process that may ask models puts the questions itself; nobody has to play the episode.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from actors.episodes.registry import environment_of
from actors.episodes.views.inconsistent_history import state_after
from actors.interviews.ask_character import ask_character, begin, fault_of_mind
from actors.interviews.interview import Exchange, Interview, interviews_of, load
from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from actors.runs.execution.run_cache import RunCache
from actors.runs.state import load_run
from events.interview import InterviewBegan
from gateway.errors import BadArgument
from gateway.models.configured_models import models_here
from gateway.services.episodes.mind_words import KnownMinds, parse_mind
from gateway.services.runs.confirm_destinations import (
    Agree,
    brought_by_file,
    destinations_of_interview,
    destinations_of_minds,
    episode_stream,
    never,
)
from gateway.services.serving_process import ServingProcess
from store.log.event_store import EventStore
from store.model_abilities import ModelAbilities
from store.read_model import queries
from store.read_model.episode_history import ancestors, read_history

__all__ = ["Exchange", "Interview", "ask", "asking_models", "begin_interview", "interviews", "load"]


def begin_interview(
    store: EventStore,
    given: str,
    seat: int,
    *,
    at: int | None = None,
    mind: str = "",
    by: str = "",
    agree: Agree = never,
) -> Interview:
    """A new interview with a seat (from 0) of an episode. ``at``: the last event number that the
    character knows; None: all so far. ``mind``: who answers for it, as ``troupe fork --seat`` names
    minds; empty: the one that sits there, or did before a person. ``agree`` is asked where only a
    file says which model that is. Blocking.

    Raises ``UnknownId``, ``NoSuchEvent``, ``BadArgument``, ``NotAgreed``, ``OddHistory``.
    """
    episode = queries.find_episode(store, given)
    row = queries.episode(store, episode)
    if row.started_at is None:
        raise BadArgument("episode", given, "has not begun, so nobody in it can be asked")
    history = read_history(store, episode, at)
    state = state_after(numbered.event for numbered in history)
    started = state.started
    if started is None:
        raise BadArgument("--at", str(at), "the episode had not begun by then")
    seats = state.minds_without_people
    if not 0 <= seat < len(seats):
        raise BadArgument("--seat", str(seat + 1), f"give a seat from 1 to {len(seats)}")
    chosen = seats[seat]
    run = started.run
    if mind:
        plan = load_run(store, run) if run else None
        planned = plan.plan.minds if plan is not None else ()
        tempers = environment_of(started).tempers
        known = KnownMinds({one.name: one for one in (*planned, *seats)}, tempers)
        chosen = parse_mind(store, mind, known, mind, "--mind")
    if fault := fault_of_mind(chosen):
        raise BadArgument("--mind", mind or chosen.name, fault)
    past = [episode_stream(one.id) for one in (*ancestors(store, row), row)]
    asked = destinations_of_minds([chosen], brought_by_file(store, past, row.run, run), 1)
    if asked:
        agree(f"episode {episode}", asked)
    begun = InterviewBegan(
        episode=episode,
        seat=seat,
        at=history[-1].number,
        mind=chosen,
        by=by,
        run=row.run,
    )
    return begin(store, begun)


async def ask(
    store: EventStore,
    episode: str,
    number: int,
    question: str,
    *,
    caller: ModelCaller,
    agree: Agree = never,
) -> Exchange:
    """The answer to a question in an interview of an episode, paid for by the run that the episode
    belongs to. ``agree`` is asked, in a thread, where only a file says which
    model that is. Raises ``NotAgreed``, and what ``ask_character`` does."""
    episode = await asyncio.to_thread(queries.find_episode, store, episode)
    budget = await asyncio.to_thread(_budget, store, episode, number, agree)
    return await ask_character(
        store,
        episode,
        number,
        question,
        caller=caller,
        budget=budget,
    )


def _budget(store: EventStore, episode: str, number: int, agree: Agree) -> BudgetKeeper | None:
    begun = load(store, episode, number).begun
    if begun is None:
        return None
    if asked := destinations_of_interview(store, begun, number):
        agree(f"interview {number} of episode {episode}", asked)
    return RunCache(store).budget_of(begun.run)


@asynccontextmanager
async def asking_models(gateway: ServingProcess) -> AsyncIterator[ModelCaller]:
    """Who asks models for a gateway: what plays in its process, so that its limits hold, else one
    for the while."""
    if gateway.node is not None:
        yield gateway.node.caller
        return
    caller = ModelCaller(models_here(gateway.settings), abilities=ModelAbilities(gateway.store))
    try:
        yield caller
    finally:
        await caller.close()


def interviews(store: EventStore, episode: str) -> list[Interview]:
    """All of an episode, the oldest first. Blocking. Raises ``UnknownId``."""
    return list(interviews_of(store, queries.find_episode(store, episode)))
