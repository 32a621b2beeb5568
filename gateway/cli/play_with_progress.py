"""Playing and scoring from the command line: progress while it lasts."""

import asyncio
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import typer

from actors.episodes.rules.decide import EpisodeState
from actors.runs.execution.coordinator import Progress, Work
from actors.runs.model_notes import note_words
from actors.runtime.actors.event_loop import run as run_loop
from events.environments import Catalog
from events.evaluation import JudgeSpec
from events.minds import ModelSpec
from events.run import RunPlanned
from gateway.cli.terminal.awaited_seats import SeatsAwaited
from gateway.cli.terminal.errors import INTERRUPTED, NOTHING, PAUSED
from gateway.cli.terminal.output import capitalized, escape, note
from gateway.cli.terminal.run_progress import say_asking, shown_progress
from gateway.process.in_process_worker import STOPPED, ProgressObserver, carry_out_here
from gateway.process.worker_node import WorkerNode
from gateway.services.runs.plan_run import begin_run, prepare
from gateway.services.runs.stop import FOR_GOOD
from gateway.settings import Settings
from store.log.event_store import EventStore


def work_with_progress(
    settings: Settings,
    store: EventStore,
    begin: Callable[[], Work],
    concurrency: int,
    *,
    quiet: bool = False,
    witness: Callable[[str, EpisodeState], None] | None = None,
    models: Sequence[ModelSpec] = (),
    run: str = "",
    judges: Sequence[JudgeSpec] = (),
    command: str = "run",
    planned: Callable[[], tuple[RunPlanned, Catalog] | None] | None = None,
) -> Progress:
    """Do some work in this process (``carry_out_here``) until it is done, paused, or Ctrl-C stops
    it, and show on standard error how far it is unless ``quiet``."""

    class Terminal(ProgressObserver):
        """Says it on standard error."""

        def waiting(self, sentence: str) -> None:
            if not quiet:
                note(f"[yellow]{escape(sentence)}.[/]")

        def asking(self, models: int) -> None:
            say_asking(models, quiet=quiet)

        def answered(self, names: Sequence[str]) -> None:
            say_probed(names, quiet=quiet)

        def tight(self, sentences: Sequence[str]) -> None:
            say_tight(sentences)

        def stopping(self) -> None:
            note("[yellow]Stopping: what is under way may finish its turn.[/]")

        @contextmanager
        def following(self, node: WorkerNode, work: Work) -> Iterator[Callable[[Progress], None]]:
            if quiet:
                yield lambda _: None
                return
            seats = SeatsAwaited()
            loop = asyncio.get_running_loop()
            notes = partial(_noted, node, work.run)
            with shown_progress(work.progress, node.caller, seats, notes) as show:
                awaiting = loop.create_task(seats.watch(settings, store, work))
                yield show
                awaiting.cancel()

    async def main() -> Progress:
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        return await carry_out_here(
            settings,
            store,
            begin,
            concurrency,
            stop=stop,
            onlooker=Terminal(),
            witness=witness,
            models=models,
            run=run,
            judges=judges,
            command=command,
            planned=planned,
        )

    return run_loop(main())


def _noted(node: WorkerNode, run: str) -> list[str]:
    """What a run's stream says of its models, as it was read last: nothing is read for it."""
    return [note_words(one.note) for one in node.runs.notes_of(run)]


def say_probed(names: Sequence[str], *, quiet: bool) -> None:
    """Say which models have answered, and that it was not for nothing."""
    if names and not quiet:
        which = f"{len(names)} models" if len(names) > 1 else escape(names[0])
        answer = "answer" if len(names) > 1 else "answers"
        note(f"[dim]{which} {answer} (asked with one tiny request each, outside the budget)[/]")


def say_tight(sentences: Sequence[str]) -> None:
    """Say what may not fit into a model."""
    for sentence in sentences:
        note(f"[yellow]{escape(capitalized(sentence))}.[/]")


def leave_unless_done(progress: Progress, how_to_go_on: str) -> None:
    """End the command with the fitting exit code where something is left to do, or nothing came of
    it."""
    if progress.done:
        if progress.episodes and not progress.episodes_ended:
            note("[red]Every episode was given up: nothing was played.[/]")
            raise typer.Exit(NOTHING)
        return

    stopped = progress.paused == STOPPED or progress.pause_reason == "stopped"
    what = "" if stopped else "Paused: "
    sentence = f"{what}{progress.paused}."
    further = "" if progress.paused == FOR_GOOD else f" {escape(capitalized(how_to_go_on))}"
    note(f"[yellow]{escape(capitalized(sentence))}[/]{further}")
    raise typer.Exit(INTERRUPTED if stopped else PAUSED)


def play_with_progress(
    settings: Settings,
    store: EventStore,
    begin: Callable[[], str],
    *,
    quiet: bool,
    models: Sequence[ModelSpec] = (),
    within: str = "",
) -> str:
    """Play one episode, whose stream ``begin`` makes or finds, to its end; its id. ``models`` are
    to answer first. ``within``: the run that plans it."""
    played = ""

    def work() -> Work:
        nonlocal played
        played = begin()
        return Work.continuing([played], within)

    progress = work_with_progress(
        settings, store, work, 1, quiet=quiet, models=models, command="resume"
    )
    leave_unless_done(progress, f"`troupe resume {played}` goes on.")
    return played


def play_demo(settings: Settings, store: EventStore, plan: Path, told: str, command: str) -> str:
    """Play the plan of a demo offline; the run. ``told``: what is said first, with the number of
    episodes where it has a ``{}``; ``command``: what begins another."""
    prepared = prepare(store, plan)
    note(f"[dim]{told.format(len(prepared.planned.episodes))}, by built-in rules, offline[/]")
    begin = partial(begin_run, store, prepared)
    progress = work_with_progress(settings, store, begin, prepared.planned.plan.concurrency)
    leave_unless_done(progress, f"`{command}` begins a new one.")
    return prepared.run
