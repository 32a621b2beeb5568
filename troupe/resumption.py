"""Resuming what was stopped, as a coroutine that ``sync`` waits for and ``aio`` awaits."""

from functools import partial

from actors.runs.execution.work import Work
from actors.runs.state import load_run
from gateway.errors import BadArgument
from gateway.models.context_size import recorded_plan
from gateway.models.probe_models import models_of, models_of_minds
from gateway.notebook.analysis_store import open_store
from gateway.notebook.episodes import Episode
from gateway.notebook.runs import Run
from gateway.services.episodes.fork_episode import minds_in
from gateway.services.runs.confirm_destinations import NotAgreed
from gateway.services.runs.plan_run import resume_run, work_of
from gateway.services.runs.resume_run import episode_under_way, to_resume, why_over
from gateway.services.runs.retry_episodes import retrying_of
from gateway.settings import Settings
from store.log.event_store import EventStore
from troupe.arguments import Where, id_of, store_of
from troupe.progress import Show
from troupe.sessions import require_done, session
from troupe.worker_thread import Call


def resume(
    call: Call,
    what: str | Run | Episode,
    *,
    usd: float | None = None,
    tokens: int | None = None,
    retry_failed: bool = False,
    agreed: bool = False,
    where: Where = None,
    progress: Show = True,
    probe: bool = True,
) -> Run | Episode:
    """Go on with a run, or a fork, that was stopped; what came of it.

    Only what is not done is played: an answer that was paid for is not asked for again. Of a run
    that is over, it is what there is. ``what``: a ``Run``, a fork, or an id, as ``Unfinished`` has
    it. ``usd``, ``tokens``: a run's new budget in all; 0: no limit. ``retry_failed``: also play a
    run's episodes again in which actions failed. ``agreed``: of a run that came in a file, that
    prompts may be sent where it says. ``where``: where ``what`` is kept, which a ``Run`` and an
    ``Episode`` know. The rest as in ``run``.

    A run that is paused again says so in its ``status``. Raises ``troupe.Unfinished`` where a fork
    waits, otherwise ``troupe.Error``.
    """
    for name, value in (("usd", usd), ("tokens", tokens)):
        if value is not None and not value >= 0:
            raise BadArgument(name, str(value), "must be 0 (no limit) or more")
    anew = retry_failed or usd is not None or tokens is not None
    with session(store_of(what, where)) as (settings, store):
        meant = to_resume(store, id_of(what), as_run=anew)
        if meant.kind == "run":
            _go_on(
                call,
                settings,
                store,
                meant.id,
                progress,
                usd=usd,
                tokens=tokens,
                retry_failed=retry_failed,
                agreed=agreed,
                probe=probe,
            )
        elif (row := episode_under_way(store, meant.id)) is not None:
            how = f"`troupe resume {row.id}` goes on"
            call.begun = f"Fork {row.id} was begun; {how}."
            done = call.carry_out(
                settings,
                store,
                lambda: Work.continuing([row.id], row.run),
                1,
                show=progress,
                models=models_of_minds(minds_in(store, row.id)) if probe else [],
                command="resume",
            )
            require_done(done, row.id, how)
    found = open_store(settings.database_url)
    return found.run(meant.id) if meant.kind == "run" else found.episode(meant.id)


def _go_on(
    call: Call,
    settings: Settings,
    store: EventStore,
    run: str,
    progress: Show,
    *,
    usd: float | None,
    tokens: int | None,
    retry_failed: bool,
    agreed: bool,
    probe: bool,
) -> None:
    state = load_run(store, run)
    assert state is not None, "it was found"
    if why_over(run, state, anew=retry_failed or usd is not None or tokens is not None):
        return
    if state.study:
        raise BadArgument("run", run, "is a study's: it goes on wherever `troupe serve` runs")
    if state.awaits_consent and not agreed:
        raise NotAgreed(f"run {run}", asked=False)
    retried = retrying_of(store, run, state).episodes if retry_failed else ()

    def begin() -> Work:
        resume_run(store, run, usd=usd, tokens=tokens, retried=retried, agreed=agreed)
        return work_of(store, run)

    call.begun = f"Run {run} was begun; `troupe resume {run}` goes on."
    call.carry_out(
        settings,
        store,
        begin,
        state.plan.concurrency,
        show=progress,
        models=models_of(state) if probe else [],
        run=run,
        judges=state.plan.judges,
        command="resume",
        planned=partial(recorded_plan, store, run),
    )
