"""``troupe run``, ``resume``."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from actors.runs.execution.work import Work
from actors.runs.state import RunState, load_run
from evaluators.registry import judge_to_try, judging_of
from events.environments import Catalog
from events.minds import ModelSpec
from events.run import Plan, RetriedEpisode, RunPlanned
from gateway.cli.options import (
    Detach,
    Json,
    NoProbe,
    RunOrEpisode,
    TableFormatOption,
    Yes,
    open_session,
)
from gateway.cli.play_with_progress import (
    leave_unless_done,
    play_with_progress,
    say_probed,
    say_tight,
    work_with_progress,
)
from gateway.cli.terminal.consent_prompt import agree
from gateway.cli.terminal.errors import NOTHING
from gateway.cli.terminal.output import (
    capitalized,
    escape,
    note,
    print_json,
    print_next,
    print_plain_json,
    say,
)
from gateway.cli.terminal.run_progress import say_asking
from gateway.cli.views.forecast import forecast_of, print_forecast
from gateway.cli.views.run_tables import MOST_EPISODES, print_run
from gateway.cli.views.transcripts import print_episode
from gateway.errors import BadArgument
from gateway.models.context_size import (
    ContextTooSmall,
    check_contexts,
    recorded_plan,
    remembered_contexts,
)
from gateway.models.probe_models import (
    ModelsUnavailable,
    distinct,
    models_of,
    models_of_minds,
    probe_alone,
)
from gateway.process.lease_holders import check_free_for_server
from gateway.services.episodes.episode_details import episode_details
from gateway.services.episodes.fork_episode import minds_in
from gateway.services.runs.confirm_destinations import destinations_of_run
from gateway.services.runs.plan_run import prepare, record_run, resume_run, work_of
from gateway.services.runs.resume_run import episode_under_way, to_resume, why_over
from gateway.services.runs.retry_episodes import retrying_of
from gateway.services.runs.run_details import RunDetails, run_details
from gateway.services.runs.run_status import standing_of
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model import queries


def run(
    plan: Annotated[
        Path, typer.Argument(metavar="PLAN.toml", help="A plan file (see `troupe examples`).")
    ],
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Print the number of episodes, calls and tokens, and the cost; play nothing.",
        ),
    ] = False,
    detach: Detach = False,
    no_probe: NoProbe = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Carry out a plan: play, score, show the tables.

    First each model gets one tiny request, outside the budget, also with --dry-run. Ctrl-C stops
    the run cleanly, and `troupe resume RUN` continues it. A spent budget or an unavailable model
    pauses the run (exit code 3). Exit code 4: nothing was played.
    """
    with open_session() as (settings, store):
        prepared = prepare(store, plan)
        models = [] if no_probe else models_of(prepared.planned)
        if dry_run:
            expected = forecast_of(prepared)
            print_forecast(prepared.planned.plan, expected, json=json, form=form)
            quiet = json or form != "text"
            say_asking(len(distinct(models)), quiet=quiet)
            try:
                say_probed(probe_alone(models, store), quiet=quiet)
                if models:
                    checked = check_contexts(
                        remembered_contexts(store), prepared.planned, prepared.catalog
                    )
                    say_tight(asyncio.run(checked))
            except ContextTooSmall as error:
                say_tight([str(error)])
            except ModelsUnavailable as error:
                # What the plan means is known without them.
                note(f"[yellow]not every model could be asked: {escape(str(error))}[/]")
        elif detach:
            record_run(store, prepared, detached=True)
            _say_detached(settings, store, prepared.run, as_json=json)
        else:
            carry_out(
                settings,
                store,
                prepared.run,
                lambda: record_run(store, prepared),
                prepared.planned.plan,
                models=models,
                as_json=json,
                planned=lambda: (prepared.planned, prepared.catalog),
            )


def resume(
    what: RunOrEpisode,
    usd: Annotated[
        float | None,
        typer.Option(
            "--budget-usd", metavar="USD", help="A new budget for the whole run; 0: no limit."
        ),
    ] = None,
    tokens: Annotated[
        int | None,
        typer.Option(
            "--budget-tokens", metavar="N", help="A new budget for the whole run; 0: no limit."
        ),
    ] = None,
    detach: Detach = False,
    retry_failed: Annotated[
        bool,
        typer.Option(
            "--retry-failed",
            help="Replay episodes with failed actions: same task, minds and seed.",
        ),
    ] = False,
    yes: Yes = False,
    no_probe: NoProbe = False,
    json: Json = False,
) -> None:
    """Resume a run or a fork that was stopped.

    Plays only what is missing; a model answer that was paid for is not requested again. With
    --retry-failed, new episodes also replace those with failed actions, which stay in the log.
    Episodes of chains are never replayed, because later episodes depend on them. For a run from an
    imported file, the command first shows what would be sent to which address and asks for
    confirmation. If another process carries out the run, the command names it and exits with code
    1; if that process is silent for TROUPE_ACK_WAIT_S seconds, this one takes over.
    """
    for option, value in (("--budget-usd", usd), ("--budget-tokens", tokens)):
        if value is not None and not value >= 0:
            raise BadArgument(option, str(value), "must be 0 (no limit) or more")
    with open_session() as (settings, store):
        anew = retry_failed or usd is not None or tokens is not None
        meant = to_resume(store, what, as_run=detach or anew)
        if meant.kind == "episode":
            _play_on(settings, store, meant.id, no_probe=no_probe, as_json=json)
            return
        state = load_run(store, meant.id)
        assert state is not None, "it was found"
        if over := why_over(meant.id, state, anew=anew):
            note(f"{capitalized(over)}.")
            _show(store, meant.id, as_json=json)
            return
        if state.study:
            if state.status == "paused":
                resume_run(store, meant.id, usd=usd, tokens=tokens, detached=True)
            note(f"Run {meant.id} is a study's: it goes on wherever `troupe serve` runs.")
            _show(store, meant.id, as_json=json)
            return
        retried = _retried(store, meant.id, state) if retry_failed else ()
        models = [] if no_probe else models_of(state)
        if state.awaits_consent:
            agree(f"run {meant.id}", destinations_of_run(state), yes=yes)
        resumed = partial(
            resume_run, store, meant.id, usd=usd, tokens=tokens, retried=retried, agreed=True
        )
        if detach:
            if state.status == "running":
                check_free_for_server(settings, store, meant.id)
            resumed(detached=True)
            _say_detached(settings, store, meant.id, as_json=json)
        else:
            carry_out(
                settings,
                store,
                meant.id,
                resumed,
                state.plan,
                models=models,
                as_json=json,
                command="resume",
                planned=partial(recorded_plan, store, meant.id),
            )


def carry_out(
    settings: Settings,
    store: EventStore,
    run_id: str,
    record: Callable[[], object],
    plan: Plan[Any],
    *,
    models: Sequence[ModelSpec] = (),
    as_json: bool,
    command: str = "run",
    planned: Callable[[], tuple[RunPlanned, Catalog] | None] | None = None,
) -> None:
    """Carry out a run once all of ``models`` have answered and ``record`` has stored that it begins
    or goes on; then show it."""

    def begin() -> Work:
        record()
        if not as_json:
            note(f"Run [bold]{run_id}[/]: {escape(plan.name)}")
        return work_of(store, run_id)

    progress = work_with_progress(
        settings,
        store,
        begin,
        plan.concurrency,
        quiet=as_json,
        models=models,
        run=run_id,
        judges=plan.judges,
        command=command,
        planned=planned,
    )
    shown = _show(store, run_id, as_json=as_json)
    leave_unless_done(progress, f"`troupe resume {run_id}` goes on with what is not done.")
    counts = shown.counts
    none_made = progress.evaluations_failed and not progress.evaluations_ended
    if none_made or (counts.scores_asked and counts.scores_failed == counts.scores_asked):
        note("[red]Every score is missing.[/] `troupe score` asks a judge again.")
        raise typer.Exit(NOTHING)
    if not as_json:
        print_next(_after_a_run(shown))


def _retried(store: EventStore, run_id: str, state: RunState) -> tuple[RetriedEpisode, ...]:
    """The marked episodes of a run, planned again; prints how many."""
    retrying = retrying_of(store, run_id, state)
    if retrying.episodes:
        note(f"Episodes to play again, because actions in them failed: {len(retrying.episodes)}.")
    if retrying.of_chains:
        note(f"[yellow]{escape(retrying.left_out)}[/]")
    return retrying.episodes


def _play_on(
    settings: Settings, store: EventStore, episode: str, *, no_probe: bool, as_json: bool
) -> None:
    """Play a fork, or another episode that has begun, to its end; then show it."""
    if (row := episode_under_way(store, episode)) is not None:
        models = [] if no_probe else models_of_minds(minds_in(store, row.id))
        play_with_progress(
            settings, store, lambda: row.id, quiet=as_json, models=models, within=row.run
        )
    else:
        note(f"Episode {episode} is over: nothing is left to do.")
    shown = episode_details(store, episode, "narrator")
    if as_json:
        print_json(shown)
    else:
        print_episode(shown)


def _show(store: EventStore, run_id: str, *, as_json: bool) -> RunDetails:
    shown = run_details(store, run_id, listed=None if as_json else MOST_EPISODES)
    if as_json:
        print_json(shown)
    else:
        print_run(shown)
    return shown


def _say_detached(settings: Settings, store: EventStore, run_id: str, *, as_json: bool) -> None:
    """Tell which process carries out a detached run."""
    stands = standing_of(settings, store, queries.run(store, run_id))
    if as_json:
        print_plain_json({"run": run_id, "detached": True, "by": stands.by})
    elif stands.by:
        say(f"Run [bold]{run_id}[/] is carried out by the server ({escape(stands.by)}).")
    else:
        say(f"Run [bold]{run_id}[/] waits for a server: `troupe serve` carries it out.")
    if not as_json:
        print_next([(f"troupe watch {run_id}", "follow it")])


def _after_a_run(shown: RunDetails) -> Iterator[tuple[str, str]]:
    run_id = shown.run.id
    judged = [table.judge.name for table in shown.tables]
    judgings = list(map(judging_of, dict.fromkeys(row.environment for row in shown.episodes)))
    own = [step for one in judgings if one.next_steps for step in one.next_steps(shown.episodes)]
    for command, what in own:
        yield f"troupe {command} {run_id}", what
    yield f"troupe report {run_id}", "the run with every transcript, as one HTML page"
    if shown.chains:
        yield f"troupe curves {run_id}", "scores by the episode's place in its chain"
    for row in shown.episodes[:1]:
        yield f"troupe show {row.id}", "an episode: who, what was said, scores and reasons"
    for judging in judgings:
        for judge, (command, what) in judging.follow_ups.items():
            if judge in judged:
                yield f"troupe {command} {run_id}", what
    environment = judgings[0].environment if judgings else ""
    if not own and (other := judge_to_try(environment, judged)):
        yield f"troupe score {run_id} --judge {other}", "a second judge reads the same episodes"
