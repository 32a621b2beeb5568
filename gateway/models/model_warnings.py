"""Telling runs what became of their models: asked in a lower form, or hard to read. A line each
wherever the run is shown."""

import asyncio
from typing import Final

import structlog

from actors.models.caller import ModelCaller
from actors.models.response_formats.model_formats import Lowered, account_of
from actors.runs.execution.run_cache import RunCache
from actors.runs.state import RunState, note_key, run_stream
from actors.runtime.jobs.worker_reports import worker_name
from events.run import AnswersUnusable, FormLowered
from gateway.models.model_holds import ModelHolds
from gateway.models.probe_models import models_of
from store.database.transient_errors import is_transient
from store.log.event_store import ANY, EventStore
from store.read_model.first_answer_failures import first_answers

log = structlog.get_logger(__name__)

LOOK_S: Final = 2.0
"""How often it is looked, in seconds."""
LONGEST_S: Final = 60.0
"""A run whose answers can be read is looked at less and less often, but as often as this."""
LEAST_ANSWERS: Final = 20
"""Fewer first answers tell nothing."""
TOO_MANY: Final = 0.2
"""A share of them that could not be used is told of when it is larger than this."""


class ModelWarnings:
    """Watches for the runs that a process works for."""

    def __init__(
        self, store: EventStore, runs: RunCache, caller: ModelCaller, holds: ModelHolds
    ) -> None:
        """``holds``: which knows what is in hand."""
        self.store, self.runs, self.caller, self.holds = store, runs, caller, holds
        self._lowered = 0
        """How many of those lowered were told."""
        self._waits: dict[str, tuple[float, float]] = {}
        """When, by the loop's clock, the answers of a run are looked at next, and for how long
        after that they are not, in seconds."""

    async def watch(self) -> None:
        """For ever."""
        while True:
            await asyncio.sleep(LOOK_S)
            working = self.holds.working
            lowered = self.caller.forms.lowered[self._lowered :]
            self._waits = {run: self._waits.get(run, (0.0, LOOK_S)) for run in working}
            now = asyncio.get_running_loop().time()
            # Reading the answers of a run is slow: only once one that cannot be used came here.
            due = [run for run, (at, _) in self._waits.items() if at <= now and self.caller.unread]
            if not due and not lowered:
                continue
            try:
                for one in lowered:
                    await asyncio.to_thread(self._tell_lowered, working, one)
                    self._lowered += 1
                for run in due:
                    await asyncio.to_thread(self._look, run)
                    wait = min(2 * self._waits[run][1], LONGEST_S)
                    self._waits[run] = (now + wait, wait)
            except Exception as error:
                if not is_transient(error):
                    raise
                log.warning("notes_not_recorded", error_type=type(error).__name__)

    def _tell_lowered(self, working: frozenset[str], one: Lowered) -> None:
        for run in working:
            state = self.runs.run(run)
            asks = state is not None and any(
                account_of(model) == one.account for model in models_of(state)
            )
            if state is not None and asks:
                note = FormLowered(
                    model=one.account.name,
                    worker=worker_name(),
                    before=one.before,
                    now=one.now,
                    why=one.why,
                )
                self._append(run, state, note)

    def _look(self, run: str) -> None:
        state = self.runs.run(run)
        if state is None:
            return
        for found in first_answers(self.store, run):
            few = found.answers < LEAST_ANSWERS
            if not few and found.unusable > TOO_MANY * found.answers:
                note = AnswersUnusable(
                    model=found.model,
                    worker=worker_name(),
                    answers=found.answers,
                    unusable=found.unusable,
                )
                self._append(run, state, note)

    def _append(self, run: str, state: RunState, note: FormLowered | AnswersUnusable) -> None:
        """Say it once, as long as the run goes on."""
        key = note_key(note)
        if state.status == "running" and all(note_key(one.note) != key for one in state.notes):
            log.warning("run_noted", run=run, model=note.model, note=type(note).__name__)
            self.store.append(run_stream(run), ANY, [note], correlation=run)
