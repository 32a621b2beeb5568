"""Telling runs which of their models are held back: a line in ``troupe show``."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog

from actors.models.caller import ModelCaller
from actors.models.limits.circuit_breaker import HeldModel
from actors.runs.execution.run_cache import RunCache
from actors.runs.state import run_stream
from actors.runtime.jobs.worker_reports import worker_name
from events.run import ModelHeld, ModelReleased
from store.database.transient_errors import is_transient
from store.log.event_store import ANY, EventStore

log = structlog.get_logger(__name__)

LOOK_S: Final = 1.0
"""How often it is looked which models are held, in seconds."""


class ModelHolds:
    """Watches a process's breakers for the runs it works for."""

    def __init__(self, store: EventStore, runs: RunCache, caller: ModelCaller) -> None:
        self.store, self.runs, self.caller = store, runs, caller
        self._working: Counter[str] = Counter()
        """Jobs in hand, by run."""
        self._told: set[tuple[str, str]] = set()
        """Runs and models: which run was told that a model is held."""

    @contextmanager
    def working_for(self, run: str) -> Iterator[None]:
        """As long as this lasts, a job of a run is in hand."""
        self._working[run] += 1
        try:
            yield
        finally:
            self._working[run] -= 1
            if not self._working[run]:
                del self._working[run]

    @property
    def working(self) -> frozenset[str]:
        """The runs of which jobs are in hand."""
        return frozenset(run for run in self._working if run)

    async def watch(self) -> None:
        """For ever."""
        while True:
            await asyncio.sleep(LOOK_S)
            held = {one.model: one for one in self.caller.breakers}
            if not held and not self._told:
                continue
            try:
                await asyncio.to_thread(self._tell, held)
            except Exception as error:
                if not is_transient(error):
                    raise
                log.warning("holds_not_recorded", error_type=type(error).__name__)

    def _tell(self, held: dict[str, HeldModel]) -> None:
        for run, model in {pair for pair in self._told if pair[1] not in held}:
            self._append(run, ModelReleased(model=model, worker=worker_name()))
            self._told.discard((run, model))
        for run in self.working:
            for model, one in held.items():
                if (run, model) in self._told:
                    continue
                event = ModelHeld(
                    model=model,
                    worker=worker_name(),
                    reason=one.reason,
                    detail=one.detail,
                    waiting=one.waiting,
                )
                if self._append(run, event):
                    self._told.add((run, model))

    def _append(self, run: str, event: ModelHeld | ModelReleased) -> bool:
        """Whether the run goes on, so that it is told."""
        state = self.runs.run(run)
        if state is None or state.status != "running":
            return False
        self.store.append(run_stream(run), ANY, [event], correlation=run)
        return True
