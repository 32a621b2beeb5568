"""The runs that a server carries out: it finds them, works on several at once, and finds resumed
ones again."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import structlog

from actors.runs.execution.coordinator import Progress, Work, carry_out, end_run, pause_run
from actors.runs.execution.queue_view import QueueView
from actors.runs.state import RunState, load_run
from actors.runtime.actors.supervision import is_outage
from events.run import RunPaused, RunPlanned, RunResumed
from events.wire.subjects import split_stream
from gateway.models.context_size import ContextTooSmall, check_contexts, recorded_plan
from gateway.models.probe_models import ModelsUnavailable, models_of, probe
from gateway.process.lease_holders import free, holder_words
from gateway.process.run_leases import RunLease
from gateway.process.worker_node import WorkerNode
from store.errors import StoreUnavailable
from store.log.event_store import EventStore
from store.read_model import queries

log = structlog.get_logger(__name__)

LOOK_S = 1.0
"""How often it is looked whether there is another run, in seconds."""
BEGINNINGS = (RunPlanned.__name__, RunResumed.__name__)


class ServedRuns:
    """Carries out every run that waits for a server."""

    def __init__(
        self,
        store: EventStore,
        node: WorkerNode,
        stop: asyncio.Event,
        *,
        reconcile_s: float,
        probing: bool,
    ) -> None:
        """``probing``: ask each model one tiny request before a run is taken up."""
        self.store, self.node, self.stop = store, node, stop
        self.reconcile_s = reconcile_s
        self.probing = probing
        self.view = QueueView(store, node.jobs)
        self.waiting: set[str] = set()
        """Runs that are to be taken up, perhaps for the second time."""
        self.elsewhere: set[str] = set()
        """Runs whose lease could not be had: they are taken up when it is free."""
        self.under_way: dict[str, asyncio.Task[None]] = {}
        self._position: int | None = None
        """Up to where the log was searched for runs; None: not at all."""

    async def carry_out_all(self) -> None:
        """Until ``stop``."""
        while not self.stop.is_set():
            try:
                self.waiting.update(await asyncio.to_thread(self._look))
            except Exception as error:
                if not is_outage(error):
                    raise
                log.warning("runs_not_listed", error_type=type(error).__name__)
            for run in self.waiting - self.under_way.keys():
                self.waiting.discard(run)
                task = asyncio.get_running_loop().create_task(self._carry_out(run))
                self.under_way[run] = task
                task.add_done_callback(partial(self._ended, run))
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stop.wait(), LOOK_S)
        await asyncio.gather(*self.under_way.values(), return_exceptions=True)

    def _look(self) -> list[str]:
        """Runs that have begun or gone on since the last look; at first all that are running."""
        head = self.store.head()
        if self._position is None:
            found = [row.id for row in queries.running(self.store)]
        else:
            # All of them: there are no more than there are events.
            begun = self.store.read_all(self._position, tags=BEGINNINGS, limit=head)
            found = [split_stream(envelope.stream)[1] for envelope in begun]
        self._position = head
        if self.elsewhere:
            found += free(self.node.settings, self.store, self.elsewhere)
        return found

    def _ended(self, run: str, task: asyncio.Task[None]) -> None:
        del self.under_way[run]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("run_not_carried_out", run=run, exc_info=error)
            # The next look takes it up again.
            self.waiting.add(run)

    async def _carry_out(self, run: str) -> None:
        state = await asyncio.to_thread(load_run, self.store, run)
        if state is None or state.status != "running" or not state.detached:
            return
        if state.study:
            if self.probing and not state.awaits_consent:
                with suppress(ModelsUnavailable):  # which its episodes will say
                    await probe(self.node.caller, models_of(state))
            return
        if state.awaits_consent:
            log.warning("imported_run_awaits_consent", run=run, mend=f"troupe resume {run}")
            return
        if self.probing and not await self._models_answer(run, state):
            return
        work = Work.of(run, state)
        try:
            tenure = await self.node.leases.take(run, work.leases)
        except StoreUnavailable as error:
            log.warning("run_not_taken_up", run=run, error=str(error))
            self.elsewhere.add(run)
            return
        if not isinstance(tenure, RunLease):
            if run not in self.elsewhere:
                log.info("run_left_to_its_holder", run=run, held=holder_words(tenure))
            self.elsewhere.add(run)
            return
        self.elsewhere.discard(run)
        log.info("run_taken_up", run=run, name=state.plan.name, episodes=len(state.episodes))
        try:
            progress = await carry_out(
                self.store,
                self.node.jobs,
                work,
                stop=_Either(self.stop, tenure),
                on_progress=lambda _: None,
                view=self.view,
                reconcile_s=self.reconcile_s,
            )
            if tenure.lost is not None:
                self.elsewhere.add(run)
            elif progress.done:
                await asyncio.to_thread(end_run, self.store, run, progress)
        finally:
            await self.node.leases.leave(tenure)
        _log_outcome(run, progress)

    async def _models_answer(self, run: str, state: RunState) -> bool:
        """Whether a run's models can be had; one that cannot until a person does something has the
        run paused. What may pass is left to the episodes, which wait for it."""
        try:
            await probe(self.node.caller, models_of(state))
            planned = await asyncio.to_thread(recorded_plan, self.store, run)
            if planned is not None:
                for why in await check_contexts(self.node.caller.context_of, *planned):
                    log.warning("context_may_be_too_small", run=run, why=why)
        except (ModelsUnavailable, ContextTooSmall) as error:
            lasting = isinstance(error, ContextTooSmall) or error.lasting
            log.warning("models_unavailable", run=run, lasting=lasting, reason=str(error))
            if lasting:
                event = RunPaused(reason="model", detail=str(error))
                await asyncio.to_thread(pause_run, self.store, run, event)
                return False
        return True


class _Either(NamedTuple):
    """What ends the carrying out of a run here."""

    stop: asyncio.Event
    tenure: RunLease

    def is_set(self) -> bool:
        """Whether the server is to end, or the run is another's."""
        return self.stop.is_set() or self.tenure.lost is not None


def _log_outcome(run: str, progress: Progress) -> None:
    figures = {
        "episodes_ended": progress.episodes_ended,
        "episodes_failed": progress.episodes_failed,
        "scored": progress.evaluations_ended,
        "not_scored": progress.evaluations_failed,
    }
    if progress.done:
        log.info("run_ended", run=run, **figures)
    elif progress.paused:
        log.info(
            "run_paused", run=run, reason=progress.pause_reason, detail=progress.paused, **figures
        )
    else:
        log.info("run_handed_back", run=run, **figures)
