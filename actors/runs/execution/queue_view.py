"""The state of the job queue and the fleet as coordinators see it, and each run's fair share.

A run may queue only as many jobs as its share of the fleet: if a large run queued all its jobs,
every later run would have to wait for it.
"""

import asyncio
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, get_args

import structlog

from actors.runs.execution.work import Work
from actors.runs.state import run_stream
from actors.runtime.bus.errors import BusError
from actors.runtime.jobs.queue import JobQueue
from events.run import RunPlanned
from events.serialization.codec import event_of
from events.wire.messages import JobKind, WorkerReport
from events.wire.subjects import stream_name
from store.log.event_store import EventStore

log = structlog.get_logger()

KINDS: Final[tuple[JobKind, ...]] = get_args(JobKind)
SURVEY_S: Final = 2.0
"""How often the queue and the fleet are asked what they hold and who is there, in seconds."""
NO_LIMIT: Final = 2**31
HEADROOM: Final = 1.25
"""Jobs in the queue for each place in the fleet: what waits beside what is under way, so that no
worker is idle while the next job is on its way to it."""


class QueueView:
    """One for all the runs that a process carries out. Used from one loop."""

    def __init__(self, store: EventStore, jobs: JobQueue) -> None:
        self.store, self.jobs = store, jobs
        self.asked_at = -math.inf
        """When the queue was last asked, in the loop's time; what was queued later may be
        missing in ``held``."""
        self.held: dict[JobKind, frozenset[str] | None] = dict.fromkeys(KINDS)
        """The jobs that are not done; None: not known."""
        self._works: list[Work] = []
        self._places: dict[JobKind, int] = {}
        """Jobs that the fleet does at once; none while it has not answered."""
        self._aside: Mapping[str, int] = {}
        """Episodes that wait for people, and take no share, by run."""
        self._elsewhere: dict[JobKind, Counter[str]] = {kind: Counter() for kind in KINDS}
        """How many jobs of runs are in the queue that other processes carry out."""
        self._run_of: dict[str, str] = {}
        self._priorities: dict[str, int] = {}
        self._counted_at = -math.inf
        self._asking, self._counting = asyncio.Lock(), asyncio.Lock()

    @contextmanager
    def taking_part(self, work: Work) -> Iterator[None]:
        """As long as this lasts ``work`` wants its share."""
        self._works.append(work)
        try:
            yield
        finally:
            self._works.remove(work)

    def window(self, work: Work, kind: JobKind) -> int:
        """How many jobs of a kind ``work`` may have in the queue: its share of the fleet by
        priority, one at least, and beside them those that wait for people."""
        most = work.concurrency if kind == "episode" else 0
        # While the fleet has not answered this process at least knows of itself.
        places = self._places.get(kind) or _places([self.jobs.report()])[kind] or work.concurrency
        if not places:
            # Nobody says how many are of use.
            return NO_LIMIT
        share = work.priority / (work.priority + self._others(work, kind))
        wanted = math.ceil(HEADROOM * places * share)
        return max(1, min(wanted, most) if most else wanted) + self._set_aside(work.run, kind)

    async def ask_queue(self, older_s: float = SURVEY_S) -> None:
        """Ask what the queue holds, where the last answer is older than so many seconds."""
        async with self._asking:
            now = asyncio.get_running_loop().time()
            if now - self.asked_at < older_s:
                return
            for kind in KINDS:
                held = await self.jobs.held(kind)
                self.held[kind] = None if held is None else frozenset(held)
            self.asked_at = now
            ours = {kind: {id_ for w in self._works for id_ in w.queued[kind]} for kind in KINDS}
            await asyncio.to_thread(self._look_for_others, ours)

    async def ask_fleet(self, older_s: float = SURVEY_S) -> None:
        """Ask the fleet how much it does at once, where the last answer is older than so many
        seconds. Takes as long as answers are waited for."""
        async with self._counting:
            now = asyncio.get_running_loop().time()
            if now - self._counted_at < older_s:
                return
            self._counted_at = now
            try:
                fleet = await self.jobs.fleet()
            except BusError as error:
                log.warning("fleet_not_counted", error=str(error))
                return
        self._places = _places(fleet)
        self._aside = sum((Counter(report.waiting) for report in fleet), Counter[str]())

    def _set_aside(self, run: str, kind: JobKind) -> int:
        return self._aside.get(run, 0) if kind == "episode" else 0

    def _others(self, work: Work, kind: JobKind) -> int:
        """The priorities of all others that have jobs of a kind, summed up."""
        local = [other for other in self._works if other is not work]
        ours = {one.run for one in self._works}
        here = [one for one in local if one.left(kind, self._set_aside(one.run, kind))]
        return sum(other.priority for other in here) + sum(
            self._priorities[run]
            for run, queued in self._elsewhere[kind].items()
            if run not in ours and queued > self._set_aside(run, kind)
        )

    def _look_for_others(self, ours: Mapping[JobKind, set[str]]) -> None:
        """Find the runs behind the jobs in the queue that are not ours, once they have begun."""
        known: dict[str, str] = {}
        for kind in KINDS:
            strange = (self.held[kind] or frozenset()) - ours[kind]
            found = {id_: self._run_of.get(id_) or self._run_behind(kind, id_) for id_ in strange}
            known |= {id_: run for id_, run in found.items() if run}
            for run in {*found.values()} - self._priorities.keys() - {""}:
                self._priorities[run] = self._priority(run)
            self._elsewhere[kind] = Counter(run for run in found.values() if run)
        self._run_of = known
        there = set[str]().union(*self._elsewhere.values())
        self._priorities = {run: self._priorities[run] for run in there}

    def _run_behind(self, kind: JobKind, id_: str) -> str:
        first = self.store.read(stream_name(kind, id_), 0, 0)
        return first[0].correlation if first else ""

    def _priority(self, run: str) -> int:
        first = self.store.read(run_stream(run), 0, 0)
        planned = event_of(first[0]) if first else None
        return planned.plan.priority if isinstance(planned, RunPlanned) else 1


def _places(fleet: Iterable[WorkerReport]) -> dict[JobKind, int]:
    """Jobs of each kind that some processes do at once; those that are to end take no more."""
    staying = [report for report in fleet if not report.draining]
    return {
        "episode": sum(report.episode_slots for report in staying),
        "evaluation": sum(report.evaluation_slots for report in staying),
    }
