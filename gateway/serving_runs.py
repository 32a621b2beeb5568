"""The runs that are left to a server: found, carried out side by side, found again when resumed."""

import asyncio
from contextlib import suppress
from functools import partial

import structlog

from actors.runs.coordinator import Progress, Work, carry_out, end_run, pause_run
from actors.runs.queue_view import QueueView
from actors.runs.state import RunState, load_run
from events.run import RunPaused, RunPlanned, RunResumed
from events.subjects import split_stream
from gateway.probing import ModelsUnavailable, models_of, probe
from gateway.worker_node import WorkerNode, is_outage
from store import queries
from store.log import EventStore

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
            found = [row.id for row in queries.runs(self.store) if row.status == "running"]
        else:
            # All of them: there are no more than there are events.
            begun = self.store.read_all(self._position, tags=BEGINNINGS, limit=head)
            found = [split_stream(envelope.stream)[1] for envelope in begun]
        self._position = head
        return found

    def _ended(self, run: str, task: asyncio.Task[None]) -> None:
        del self.under_way[run]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("run_not_carried_out", run=run, exc_info=error)
            # The next look takes it up again.
            self.waiting.add(run)

    async def _carry_out(self, run: str) -> None:
        state = await asyncio.to_thread(load_run, self.store, run)
        if state is None or state.status != "running" or not state.detached or state.study:
            return
        if state.awaits_consent:
            log.warning("imported_run_awaits_consent", run=run, mend=f"troupe resume {run}")
            return
        if self.probing and not await self._models_answer(run, state):
            return
        log.info("run_taken_up", run=run, name=state.plan.name, episodes=len(state.episodes))
        with self.node.carrying_out(run):
            progress = await carry_out(
                self.store,
                self.node.jobs,
                Work.of(run, state),
                stop=self.stop,
                on_progress=lambda _: None,
                view=self.view,
                reconcile_s=self.reconcile_s,
            )
            if progress.done:
                await asyncio.to_thread(end_run, self.store, run, progress)
        _log_outcome(run, progress)

    async def _models_answer(self, run: str, state: RunState) -> bool:
        """Whether a run's models can be had; one that cannot until a person does something has the
        run paused. What may pass is left to the episodes, which wait for it."""
        try:
            await probe(self.node.caller, models_of(state))
        except ModelsUnavailable as error:
            log.warning("models_unavailable", run=run, lasting=error.lasting)
            if error.lasting:
                event = RunPaused(reason="model", detail=str(error))
                await asyncio.to_thread(pause_run, self.store, run, event)
                return False
        return True


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
