"""Work in this process: NATS, actors and models are started for it, and stopped after it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Final

from actors.episodes.rules.decide import EpisodeState
from actors.models.errors import BudgetSpent
from actors.runs.execution.coordinator import Progress, Work, carry_out, end_run, pause_run
from actors.runs.execution.work import leases_of
from actors.runtime.bus.errors import BusDown
from events.environments import Catalog
from events.evaluation import JudgeSpec
from events.minds import ModelSpec
from events.run import RunPaused, RunPlanned
from gateway.errors import NatsAway
from gateway.models.context_size import check_contexts
from gateway.models.probe_models import distinct, probe
from gateway.process.run_leases import RunLease
from gateway.process.worker_node import WorkerNode
from gateway.settings import Settings
from store.errors import StoreFull
from store.log.event_store import EventStore

STOPPED: Final = "stopped by you"
BUDGET_LOOK_S: Final = 0.1
"""How often it is looked whether scoring may go on, in seconds."""
ROOM_LOOK_S: Final = 0.5
"""How often it is looked whether the store still has room, in seconds."""


class ProgressObserver:
    """Is told on the loop how the work goes; this one says nothing of it."""

    def waiting(self, sentence: str) -> None:
        """Another process that has the run is silent."""

    def asking(self, models: int) -> None:
        """So many models are asked whether they answer."""

    def answered(self, names: Sequence[str]) -> None:
        """These models have answered."""

    def tight(self, sentences: Sequence[str]) -> None:
        """Prompts that may come to more than fits into a model."""

    @contextmanager
    def following(self, node: WorkerNode, work: Work) -> Iterator[Callable[[Progress], None]]:
        """As long as the work goes on; what is yielded is told of changes."""
        yield lambda _: None

    def stopping(self) -> None:
        """What is under way may finish its turn."""


async def carry_out_here(
    settings: Settings,
    store: EventStore,
    begin: Callable[[], Work],
    concurrency: int,
    *,
    stop: asyncio.Event,
    onlooker: ProgressObserver,
    witness: Callable[[str, EpisodeState], None] | None = None,
    models: Sequence[ModelSpec] = (),
    run: str = "",
    judges: Sequence[JudgeSpec] = (),
    command: str = "run",
    planned: Callable[[], tuple[RunPlanned, Catalog] | None] | None = None,
) -> Progress:
    """Do some work in this process, to its end or until it pauses or ``stop`` is set.

    ``begin`` says what the work is and may store that it begins; it is called once NATS and all of
    ``models`` answer, so that nothing is begun that cannot be done. ``witness`` is told every state
    that an episode comes into. ``run`` and its ``judges`` are what ``begin`` begins: their leases
    are taken before, so that nothing is stored where another process has them; without them, those
    of the work are taken once it is known. ``command`` is what this process is called by others.
    ``planned``: what is played, whose prompts are to fit into its models.
    Raises ``NatsAway``, ``HeldElsewhere``, ``ModelsUnavailable``, ``ContextTooSmall``,
    ``StoreFull`` and what ``begin`` raises.
    """
    loop = asyncio.get_running_loop()
    async with worker_node(settings, store, witness, command) as node, AsyncExitStack() as stack:
        tenures: list[RunLease] = []

        async def hold(run: str, leases: Sequence[str]) -> None:
            held = node.leases.held(run, leases, onlooker.waiting)
            tenure = await stack.enter_async_context(held)
            tenure.on_lost(stop.set)
            tenures.append(tenure)

        if run:
            await hold(run, leases_of(run, judges))
        if models:
            onlooker.asking(len(distinct(models)))
            onlooker.answered(await probe(node.caller, models))
            if planned is not None and (plan := planned()) is not None:
                onlooker.tight(await check_contexts(node.caller.context_of, *plan))
        looking = loop.create_task(_watch_room(store, stop))
        beginning = asyncio.ensure_future(asyncio.to_thread(begin))
        await asyncio.wait((beginning, looking), return_when=asyncio.FIRST_COMPLETED)
        if not beginning.done():
            await asyncio.to_thread(store.close)  # what it waits to store is refused
        work = await beginning
        if not run:
            await hold(work.run, work.leases)
        with onlooker.following(node, work) as show:
            await node.work(concurrency)
            watching = loop.create_task(_watch_halts(node, work))
            progress = await carry_out(
                store,
                node.jobs,
                work,
                stop=stop,
                on_progress=show,
                reconcile_s=settings.tuning.reconcile_s,
            )
            watching.cancel()
        looking.cancel()
        lost = next((one.lost for one in tenures if one.lost is not None), None)
        if stop.is_set() and not progress.done and lost is None:
            onlooker.stopping()
        await node.drain()
        if store.outage is None and lost is None:
            await asyncio.to_thread(_record, store, work)
    if (trouble := store.outage) is not None:
        # What waits to be stored would wait for ever, and keep this process from ending.
        await asyncio.to_thread(store.close)
        raise trouble
    if lost is not None:
        raise lost
    return progress


def _record(store: EventStore, work: Work) -> None:
    """Say in a run's stream that it is done, or waits because this process ends."""
    progress = work.progress
    whole = work.run and not work.partial
    if progress.done:
        if whole:
            end_run(store, work.run, progress)
    elif not progress.paused:
        progress.paused = STOPPED
        if whole:
            pause_run(store, work.run, RunPaused(reason="stopped", detail=STOPPED))


async def _watch_halts(node: WorkerNode, work: Work) -> None:
    """Pause scoring, and the playing of what belongs to no run, when there is no more to be spent
    or a model cannot be asked.

    A run that plays is paused by an event in its stream; one that has ended is not paused any
    more, and what scores it would wait for ever.
    """
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


async def _watch_room(store: EventStore, stop: asyncio.Event) -> None:
    """End the work when there is no room to store it."""
    while not isinstance(store.outage, StoreFull):  # noqa: ASYNC110 - a thread of the store's says
        await asyncio.sleep(ROOM_LOOK_S)
    stop.set()


@asynccontextmanager
async def worker_node(
    settings: Settings,
    store: EventStore,
    witness: Callable[[str, EpisodeState], None] | None,
    command: str,
) -> AsyncIterator[WorkerNode]:
    """A worker node whose NATS answers, as long as this lasts. ``command``: what this process is
    called by others. Raises ``NatsAway``."""
    node = WorkerNode(settings, store, witness=witness, command=command)
    try:
        await node.__aenter__()
    except BusDown as error:
        raise NatsAway(error.url, error.reason) from error
    try:
        yield node
    finally:
        await node.__aexit__(None, None, None)
