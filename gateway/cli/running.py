"""Playing and scoring from the command line: progress while it lasts."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import typer

from gateway.cli.errors import INTERRUPTED, NOTHING, PAUSED
from gateway.cli.output import console, escape, note
from gateway.cli.seats import SeatsAwaited

if TYPE_CHECKING:
    from rich.console import RenderableType

    from actors.episodes.rules import State
    from actors.models.breaker import HeldModel
    from actors.models.caller import ModelCaller
    from actors.runs.coordinator import Progress, Work
    from events.minds import ModelSpec
    from events.run import ModelHeld
    from gateway.settings import Settings
    from gateway.worker_node import WorkerNode
    from store.log import EventStore

STOPPED = "stopped by you"
BUDGET_LOOK_S = 0.1
"""How often it is looked whether scoring may go on, in seconds."""
ROOM_LOOK_S = 0.5
"""How often it is looked whether the store still has room, in seconds."""


def work_with_progress(
    settings: "Settings",
    store: "EventStore",
    begin: "Callable[[], Work]",
    concurrency: int,
    *,
    quiet: bool = False,
    witness: "Callable[[str, State], None] | None" = None,
    models: "Sequence[ModelSpec]" = (),
    run: str = "",
    command: str = "run",
) -> "Progress":
    """Do some work in this process, with a progress bar on standard error unless ``quiet``.

    ``begin`` says what the work is and may store that it begins; it is called once NATS and all of
    ``models`` answer, so that nothing is begun that cannot be done. ``witness`` is told every state
    that an episode comes into. ``run`` is what ``begin`` begins, so that no other command ever sees
    it without its process; empty: that is not known before. ``command`` is what this process is
    called by others. Raises ``NatsAway``, ``ModelsUnavailable``, ``StoreFull`` and what ``begin``
    raises.
    """
    from actors.runs.coordinator import carry_out
    from actors.runtime.loop import run as run_loop
    from gateway.probing import probe

    async def main() -> "Progress":
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        async with (
            _worker_node(settings, store, witness, command) as node,
            AsyncExitStack() as stack,
        ):
            if models:
                say_probed(await probe(node.caller, models), quiet=quiet)
            stack.enter_context(node.carrying_out(run))
            looking = loop.create_task(_watch_room(store, stop))
            beginning = asyncio.ensure_future(asyncio.to_thread(begin))
            await asyncio.wait((beginning, looking), return_when=asyncio.FIRST_COMPLETED)
            if not beginning.done():
                await asyncio.to_thread(store.close)  # what it waits to store is refused
            work = await beginning
            if not run and not work.partial:
                stack.enter_context(node.carrying_out(work.run))
            seats = SeatsAwaited()
            with _bar(work.progress, node.caller, seats, quiet=quiet) as show:
                await node.work(concurrency)
                watching = loop.create_task(_watch_halts(node, work))
                awaiting = None if quiet else loop.create_task(seats.watch(settings, store, work))
                progress = await carry_out(
                    store,
                    node.jobs,
                    work,
                    stop=stop,
                    on_progress=show,
                    reconcile_s=settings.tuning.reconcile_s,
                )
                for task in (watching, looking, awaiting):
                    if task is not None:
                        task.cancel()
            if stop.is_set() and not progress.done:
                note("[yellow]Stopping: what is under way may finish its turn.[/]")
            await node.drain()
            if store.outage is None:
                await asyncio.to_thread(_record, store, work)
        if (trouble := store.outage) is not None:
            # What waits to be stored would wait for ever, and keep this process from ending.
            await asyncio.to_thread(store.close)
            raise trouble
        return progress

    return run_loop(main())


def _record(store: "EventStore", work: "Work") -> None:
    """Say in a run's stream that it is done, or waits because this process ends."""
    from actors.runs.coordinator import end_run, pause_run
    from events.run import RunPaused

    progress = work.progress
    whole = work.run and not work.partial
    if progress.done:
        if whole:
            end_run(store, work.run, progress)
    elif not progress.paused:
        progress.paused = STOPPED
        if whole:
            pause_run(store, work.run, RunPaused(reason="stopped", detail=STOPPED))


def say_probed(names: "Sequence[str]", *, quiet: bool) -> None:
    """Say which models have answered, and that it was not for nothing."""
    if names and not quiet:
        which = f"{len(names)} models" if len(names) > 1 else escape(names[0])
        answer = "answer" if len(names) > 1 else "answers"
        note(f"[dim]{which} {answer} (asked with one tiny request each, outside the budget)[/]")


def leave_unless_done(progress: "Progress", how_to_go_on: str) -> None:
    """End the command with the fitting exit code where something is left to do, or nothing came of
    it."""
    if progress.done:
        if progress.episodes and not progress.episodes_ended:
            note("[red]Every episode was given up: nothing was played.[/]")
            raise typer.Exit(NOTHING)
        return
    from gateway.stopping import FOR_GOOD

    stopped = progress.paused == STOPPED or progress.pause_reason == "stopped"
    what = "" if stopped else "Paused: "
    sentence = f"{what}{progress.paused}."
    further = "" if progress.paused == FOR_GOOD else f" {escape(how_to_go_on)}"
    note(f"[yellow]{escape(sentence[0].upper() + sentence[1:])}[/]{further}")
    raise typer.Exit(INTERRUPTED if stopped else PAUSED)


def play_with_progress(
    settings: "Settings",
    store: "EventStore",
    begin: Callable[[], str],
    *,
    quiet: bool,
    models: "Sequence[ModelSpec]" = (),
) -> str:
    """Play one episode, whose stream ``begin`` makes or finds, to its end; its id. ``models`` are
    to answer first."""
    from actors.runs.coordinator import Work

    played = ""

    def work() -> Work:
        nonlocal played
        played = begin()
        return Work.continuing([played])

    progress = work_with_progress(
        settings, store, work, 1, quiet=quiet, models=models, command="resume"
    )
    leave_unless_done(progress, f"`troupe resume {played}` goes on.")
    return played


async def _watch_halts(node: "WorkerNode", work: "Work") -> None:
    """Pause scoring, and the playing of what belongs to no run, when there is no more to be spent
    or a model cannot be asked.

    A run that plays is paused by an event in its stream; one that has ended is not paused any
    more, and what scores it would wait for ever.
    """
    from actors.models.errors import BudgetSpent
    from events.run import RunPaused

    if not work.partial:
        return
    while not work.progress.done:
        if halted := node.halted.get(work.run):
            work.pause(halted)
            return
        keeper = await asyncio.to_thread(node.runs.budget_of, work.run)
        judges = any(judge.kind == "model" for judge in work.judges)
        try:
            if keeper is not None and judges:
                keeper.check()
        except BudgetSpent as spent:
            work.pause(RunPaused(reason="budget", detail=str(spent)))
            return
        await asyncio.sleep(BUDGET_LOOK_S)


async def _watch_room(store: "EventStore", stop: asyncio.Event) -> None:
    """End the work when there is no room to store it."""
    from store.errors import StoreFull

    while not isinstance(store.outage, StoreFull):  # noqa: ASYNC110 - a thread of the store's says
        await asyncio.sleep(ROOM_LOOK_S)
    stop.set()


def held_words(held: "HeldModel | ModelHeld") -> str:
    """A model that is held back, as a sentence."""
    calls = f"{held.waiting} call{'' if held.waiting == 1 else 's'}"
    why = held.detail or held.reason.replace("_", " ")
    return f"{held.model} fails ({why}): {calls} wait until it answers"


@asynccontextmanager
async def _worker_node(
    settings: "Settings",
    store: "EventStore",
    witness: "Callable[[str, State], None] | None",
    command: str,
) -> "AsyncIterator[WorkerNode]":
    """A worker node whose NATS answers. Raises ``NatsAway``."""
    from actors.runtime.bus_errors import BusDown
    from gateway.errors import NatsAway
    from gateway.worker_node import WorkerNode

    node = WorkerNode(settings, store, witness=witness, command=command)
    try:
        await node.__aenter__()
    except BusDown as error:
        raise NatsAway(error.url, error.reason) from error
    try:
        yield node
    finally:
        await node.__aexit__(None, None, None)


@contextmanager
def _bar(
    progress: "Progress", caller: "ModelCaller", seats: SeatsAwaited, *, quiet: bool
) -> "Iterator[Callable[[Progress], None]]":
    """A progress bar each for chains, episodes and evaluations, of which there are any; what is
    yielded moves them. Models that are held, and seats that are waited for, have lines of their
    own."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    if quiet:
        yield lambda _: None
        return

    class WithHolds(Bars):
        """The bars, and below them what waits for a model or a seat."""

        def get_renderables(self) -> "Iterator[RenderableType]":
            yield from super().get_renderables()
            for held in caller.breakers:
                yield f"[yellow]{escape(held_words(held))}[/]"
            yield from seats.lines

    bars = WithHolds(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console(stderr=True),
    )
    with bars:
        chaining = bars.add_task(
            "chains played", total=progress.chains, visible=progress.chains > 0
        )
        playing = bars.add_task(
            "episodes played", total=progress.episodes, visible=progress.episodes > 0
        )
        scoring = bars.add_task(
            "episodes scored", total=progress.evaluations, visible=progress.evaluations > 0
        )

        def show(now: "Progress") -> None:
            played, scored = now.episodes_ended, now.evaluations_ended
            bars.update(chaining, completed=now.chains_ended + now.chains_failed)
            bars.update(playing, completed=played + now.episodes_failed, total=now.episodes)
            bars.update(scoring, completed=scored + now.evaluations_failed, total=now.evaluations)

        yield show
