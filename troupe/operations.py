"""The operations of the Python API, as coroutines that ``sync`` waits for and ``aio`` awaits."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from actors.runs.execution.work import Progress
from events.serialization.fingerprints import judge_hash
from gateway.models.probe_models import models_of, models_of_minds
from gateway.notebook.analysis_store import open_store
from gateway.notebook.episodes import Episode
from gateway.notebook.frames import Table
from gateway.notebook.runs import Run
from gateway.services.episodes.fork_episode import begin_forks, prepare_fork
from gateway.services.episodes.plan_episode import plan_of_episode
from gateway.services.results.score_run import scoring_of
from gateway.services.runs.confirm_destinations import NotAgreed, destinations_of_fork
from gateway.services.runs.plan_run import Prepared, begin_run
from gateway.settings import Settings
from store.log.event_store import EventStore
from troupe.arguments import (
    Judge,
    Mind,
    Plan,
    Where,
    id_of,
    judge_of,
    planned,
    seated,
    sitting,
    store_of,
)
from troupe.progress import Show
from troupe.sessions import require_done, session
from troupe.worker_thread import Call


def run(
    call: Call, plan: Plan, *, where: Where = None, progress: Show = True, probe: bool = True
) -> Run:
    """Carry out a plan: play, score; what came of it.

    ``plan``: a plan file's path, its text, or a dict of what it would say, in which a mind may be a
    ``Model`` or in words, and a judge a ``Model``. ``where``: a data folder, a database's address
    or a ``Store``; None: what ``TROUPE_DATA_DIR`` says, or ``./troupe-data``. ``progress``: False
    shows none, a function is told. ``probe``: ask each model one tiny request first.

    A spent budget, or a model that cannot be asked, pauses the run: its ``status`` and ``why`` say
    so, and ``resume`` goes on. So does Ctrl-C. Raises ``troupe.Error``.
    """
    with session(where) as (settings, store):
        prepared = planned(store, plan)
        _carry_out(call, settings, store, prepared, progress, probe=probe)
    return open_store(settings.database_url).run(prepared.run)


def play(
    call: Call,
    environment: str,
    task: str = "",
    minds: Mind | Sequence[Mind] = (),
    *,
    catalog: str = "",
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    where: Where = None,
    progress: Show = True,
    probe: bool = True,
) -> Episode:
    """Play one episode, as a run of its own.

    ``task``: its id; empty: the catalog's first. ``minds``: one a seat, or one for all seats; none:
    rehearsals, which ask no model. ``catalog``: its name; empty: the environment's own.
    ``settings``: what the environment's section of a plan would say. The rest as in ``run``.

    Raises ``troupe.Unfinished`` where it waits, otherwise ``troupe.Error``.
    """
    with session(where) as (here, store):
        text = plan_of_episode(
            store,
            environment,
            task,
            sitting(minds),
            catalog=catalog,
            seed=seed,
            settings=settings,
        )
        prepared = planned(store, text)
        done = _carry_out(call, here, store, prepared, progress, probe=probe)
        require_done(done, prepared.run, f"`troupe resume {prepared.run}` goes on")
    return open_store(here.database_url).episode(prepared.planned.episodes[0].id)


def score(
    call: Call,
    what: str | Run | Episode,
    judge: Judge,
    *,
    where: Where = None,
    progress: Show = True,
    probe: bool = True,
) -> Table:
    """Score a run's ended episodes, or one episode; the judge's scores of them.

    ``what``: a ``Run``, an ``Episode``, or an id. ``judge``: the name of a built-in judge, a judge
    file's path, a ``Model``, or a dict of what a judge file would say. What it has scored before is
    not scored again; where scores failed it is asked again. ``where``: where ``what`` is kept,
    which a ``Run`` and an ``Episode`` know. The rest as in ``run``.

    Raises ``troupe.Unfinished`` where it waits, otherwise ``troupe.Error``.
    """
    spec = judge_of(judge)
    with session(store_of(what, where)) as (settings, store):
        scoring = scoring_of(store, id_of(what), spec)
        if not scoring.is_done:
            done = call.carry_out(
                settings,
                store,
                lambda: scoring.work,
                1,
                show=progress,
                models=[spec.model] if probe and spec.model is not None else [],
                command="score",
            )
            require_done(done, id_of(what), "the same call goes on with what is missing")
    found = open_store(settings.database_url)
    mine = found.scores(judge_hash=judge_hash(spec))
    return (
        mine(run=scoring.work.run) if len(scoring.episodes) > 1 else mine(episode=scoring.episodes)
    )


def fork(
    call: Call,
    episode: str | Episode,
    *,
    at: int,
    minds: Mapping[int, Mind] | None = None,
    agreed: bool = False,
    where: Where = None,
    progress: Show = True,
    probe: bool = True,
) -> Episode:
    """Ask what if: play on from the middle of an episode, as you like; the new episode.

    ``at``: the last event that is shared, as ``number`` of ``episode.turns`` counts. ``minds``:
    others by seat, from 1; ``{2: "rehearsal:guarded"}``. ``agreed``: of an episode that came in a
    file, that prompts may be sent where it says. ``where``: where the episode is kept, which an
    ``Episode`` knows. The rest as in ``run``.

    Raises ``troupe.Unfinished`` where it waits, otherwise ``troupe.Error``.
    """
    words, others = seated(minds or {})
    with session(store_of(episode, where)) as (settings, store):
        prepared = prepare_fork(store, id_of(episode), at, words, others)
        if not agreed and destinations_of_fork(store, prepared):
            raise NotAgreed(f"episode {prepared.parent}", asked=False)
        call.begun = f"Fork {prepared.id} was begun; `troupe resume {prepared.id}` goes on."
        done = call.carry_out(
            settings,
            store,
            partial(begin_forks, store, [prepared]),
            1,
            show=progress,
            models=models_of_minds(prepared.minds) if probe else [],
            command="fork",
        )
        require_done(done, prepared.id, f"`troupe resume {prepared.id}` goes on")
    return open_store(settings.database_url).episode(prepared.id)


def _carry_out(
    call: Call,
    settings: Settings,
    store: EventStore,
    prepared: Prepared,
    progress: Show,
    *,
    probe: bool,
) -> Progress:
    call.begun = f"Run {prepared.run} was begun; `troupe resume {prepared.run}` goes on."
    return call.carry_out(
        settings,
        store,
        partial(begin_run, store, prepared),
        prepared.planned.plan.concurrency,
        show=progress,
        models=models_of(prepared.planned) if probe else [],
        run=prepared.run,
        judges=prepared.planned.plan.judges,
        command="run",
        planned=lambda: (prepared.planned, prepared.catalog),
    )
