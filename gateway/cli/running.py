"""Playing and scoring from the command line: progress while it lasts, a table at the end."""

import asyncio
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from gateway.cli.support import console, print_json, say

if TYPE_CHECKING:
    from actors.runs.coordinator import Progress, Work
    from actors.social.rules import State
    from events.evaluation import JudgeSpec
    from gateway.settings import Settings
    from store.log import EventStore

INTERRUPTED = 130


def carry_out_shown(
    settings: "Settings", store: "EventStore", run: str, *, detach: bool, as_json: bool
) -> None:
    """Carry out a recorded run, or leave it to a server; then show where it stands."""
    from actors.runs.coordinator import Work
    from actors.runs.state import load_run
    from gateway.cli.tables import print_run
    from gateway.shown import run_shown

    state = load_run(store, run)
    assert state is not None, "the caller recorded or looked the run up"
    if detach:
        say(f"Run [bold]{run}[/] waits for a server: `troupe serve` carries it out.")
        return
    work = Work(run, [episode.id for episode in state.episodes], state.plan.judges)
    progress = work_shown(settings, store, work, state.plan.concurrency, quiet=as_json)
    shown = run_shown(store, run)
    if as_json:
        print_json(shown)
    else:
        print_run(shown)
    if progress.paused:
        say(f"[yellow]Paused: {progress.paused}.[/] `troupe resume {run}` goes on.")
        if not progress.done:
            raise typer.Exit(INTERRUPTED if progress.paused == STOPPED else 3)


def score_shown(
    settings: "Settings", store: "EventStore", what: str, judge: "JudgeSpec", *, as_json: bool
) -> None:
    """Score a run's ended episodes, or one episode, with one more judge."""
    from events.fingerprints import judge_hash
    from gateway.cli.tables import print_judged
    from gateway.shown import judged_tables
    from store import queries

    work = score_work(store, what, judge)
    episodes = {job.episode for job in work.scoring.values()}
    work_shown(settings, store, work, 1, quiet=as_json)
    scores = [
        score
        for row in sorted(episodes)
        for score in queries.scores(store, episode=row, judge=judge_hash(judge))
    ]
    if as_json:
        print_json(scores)
    else:
        for table in judged_tables(scores):
            print_judged(table)


def score_work(store: "EventStore", what: str, judge: "JudgeSpec") -> "Work":
    """Scoring a run's ended episodes, or one episode, with one more judge."""
    from actors.runs.coordinator import Work
    from events.ids import RUN
    from gateway.errors import BadArgument
    from store import queries

    if what.startswith(RUN):
        run = queries.run(store, what).id
        ended = [row.id for row in queries.episodes(store, run=run) if row.status == "ended"]
    else:
        row = queries.episode(store, what)
        run, ended = row.run, [row.id] if row.status == "ended" else []
    if not ended:
        raise BadArgument("RUN|EPISODE", what, "nothing of it has ended, so nothing can be scored")
    return Work.scoring_only(run, ended, judge)


def play_shown(
    settings: "Settings", store: "EventStore", episode: str, *, quiet: bool = False
) -> None:
    """Play one episode whose stream exists (a fork) to its end."""
    from actors.runs.coordinator import Work

    work_shown(settings, store, Work.continuing([episode]), 1, quiet=quiet)


STOPPED = "stopped by you"


def work_shown(
    settings: "Settings",
    store: "EventStore",
    work: "Work",
    concurrency: int,
    *,
    quiet: bool = False,
    witness: "Callable[[str, State], None] | None" = None,
) -> "Progress":
    """Do the work in this process, with a progress bar unless ``quiet``. ``witness`` is told
    every state that an episode comes into."""
    from actors.runs.coordinator import carry_out, end_run, pause_run
    from actors.runtime.loop import run as run_loop
    from events.run import RunPaused
    from gateway.workbench import Workbench

    async def main() -> "Progress":
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        with _bar(work.progress, quiet=quiet) as show:
            async with Workbench(settings, store, witness=witness) as bench:
                await bench.work(concurrency)
                return await carry_out(store, bench.jobs, work, stop=stop, on_progress=show)

    progress = run_loop(main())
    if work.run and progress.done and not work.partial:
        end_run(store, work.run, progress)
    elif not progress.done and not progress.paused:
        progress.paused = STOPPED
        if work.run and not work.partial:
            pause_run(store, work.run, RunPaused(reason="stopped", detail=STOPPED))
    return progress


@contextmanager
def _bar(progress: "Progress", *, quiet: bool) -> "Iterator[Callable[[Progress], None]]":
    """A progress bar for episodes and one for evaluations; what is yielded moves them."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    if quiet:
        yield lambda _: None
        return
    bars = Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console(),
    )
    with bars:
        playing = bars.add_task("episodes played", visible=progress.episodes > 0)
        scoring = bars.add_task("episodes scored", visible=progress.evaluations > 0)

        def show(now: "Progress") -> None:
            played, scored = now.episodes_ended, now.evaluations_ended
            bars.update(playing, completed=played + now.episodes_failed, total=now.episodes)
            bars.update(scoring, completed=scored + now.evaluations_failed, total=now.evaluations)

        yield show


def fork_shown(
    settings: "Settings",
    store: "EventStore",
    episode: str,
    at: int,
    seats: Sequence[str],
    *,
    as_json: bool,
) -> None:
    """Fork an episode, play the fork, show it."""
    from gateway.cli.transcripts import print_episode
    from gateway.forking import fork_episode
    from gateway.shown import episode_shown

    fork = fork_episode(store, episode, at, seats)
    play_shown(settings, store, fork, quiet=as_json)
    shown = episode_shown(store, fork, "narrator")
    if as_json:
        print_json(shown)
    else:
        print_episode(shown)
