"""Everything a process needs to play and to score: NATS, actors, models, jobs."""

import asyncio
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Self

import structlog

from actors.minds.making import MindMaker
from actors.models.caller import ModelCaller
from actors.models.errors import BudgetSpent
from actors.models.registry import Models
from actors.runs.coordinator import pause_run
from actors.runs.ledger import Ledger
from actors.runtime.bus import Bus
from actors.runtime.host import ActorHost
from actors.runtime.jobs import JobDeferred, JobQueue
from actors.runtime.nats_server import EmbeddedNats
from actors.runtime.supervision import OUTAGES
from actors.social.company import Adjourned, EpisodeFactory, RunWaits, SocialCompany
from actors.social.rules import State
from evaluators.desk import EvaluationDesk
from events.messages import ContinueEpisode, Evaluate, Job, PlayEpisode
from events.run import RunPaused
from gateway.settings import Settings
from store.availability import is_away
from store.log import EventStore

log = structlog.get_logger(__name__)

REMIND_S = 15.0
"""How often seats that have not answered are asked again, in seconds."""
GRACE_S = 10.0
"""How long models that were asked may take to answer when the process is to stop, in seconds."""
OUTAGE_S = 2.0
"""When a job is tried again that met an outage of NATS or the database, in seconds."""
EVALUATIONS_AT_ONCE = 16


class Workbench:
    """Use it as ``async with Workbench(settings, store) as bench``."""

    def __init__(
        self,
        settings: Settings,
        store: EventStore,
        *,
        witness: Callable[[str, State], None] | None = None,
    ) -> None:
        self.witness = witness
        self.settings, self.store = settings, store
        self.ledger = Ledger(store)
        self.nats: EmbeddedNats | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        url, token = self.settings.nats_url, self.settings.nats_token
        if self.settings.embedded_nats:
            self.nats = EmbeddedNats(self.settings.data_dir)
            await asyncio.to_thread(self.nats.start)
            url, token = self.nats.url, self.nats.token
        try:
            self.bus = await Bus.connect(url, token=token, space=self.settings.space)
        except BaseException:
            await self._stop_nats()
            raise
        self.jobs = JobQueue(self.bus)
        await self.jobs.ensure()
        if self.nats is not None:
            # Jobs of a process that was killed: what is to be done, the store knows.
            await self.jobs.forget()
        self.caller = ModelCaller(Models())
        self.host = ActorHost()
        minds = MindMaker(self.store, self.caller, self.ledger.budget_of)
        self.company = SocialCompany(
            self.store, self.bus, self.host, minds, self._out_of_budget, self.witness
        )
        self.desk = EvaluationDesk(
            self.store, self.bus, self.host, self.caller, self.ledger.budget_of, self._out_of_budget
        )
        # What was said while NATS was away is said again.
        self.bus.on_reconnect(self.company.remind)
        self._spawn(self._remind())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # The jobs first: those that come to nothing now are for others.
        await asyncio.gather(self.jobs.stop(GRACE_S), self.company.adjourn(GRACE_S))
        await self.host.stop()
        await self.caller.close()
        await self.bus.close()
        await self._stop_nats()

    async def work(self, episodes: int) -> None:
        """Take jobs: so many episodes at once, and evaluations beside them."""
        await self.jobs.work("episode", self._play, concurrency=episodes, on_dead=self._dead)
        await self.jobs.work(
            "evaluation", self._evaluate, concurrency=EVALUATIONS_AT_ONCE, on_dead=self._dead
        )

    async def _play(self, job: Job) -> None:
        assert isinstance(job, PlayEpisode | ContinueEpisode)
        episode, run = job.episode, job.run
        started = None
        try:
            if run:
                state = await asyncio.to_thread(self.ledger.run, run)
                if state is None or state.status != "running":
                    log.info("job_of_waiting_run", run=run)
                    return
                if isinstance(job, PlayEpisode):
                    started = await asyncio.to_thread(self.ledger.beginning, run, state, episode)
            await self.company.play(episode, run, started)
        except Adjourned as adjourned:
            raise JobDeferred(0.0) from adjourned
        except RunWaits as waits:
            # Done with as far as the queue goes: who resumes the run queues it again.
            log.info("episode_waits", episode=episode, run=run, reason=str(waits))
        except Exception as error:
            if not _is_outage(error):
                raise
            # It does not count as a try.
            raise JobDeferred(OUTAGE_S) from error

    async def _evaluate(self, job: Job) -> None:
        assert isinstance(job, Evaluate)
        try:
            await self.desk.evaluate(job)
        except BudgetSpent as spent:
            log.info("evaluation_waits", evaluation=job.evaluation, reason=str(spent))
        except Exception as error:
            if not _is_outage(error):
                raise
            # It does not count as a try.
            raise JobDeferred(OUTAGE_S) from error

    async def _dead(self, job: Job, reason: str) -> None:
        """A job that failed too often, for a reason outside its actor: say so in its stream."""
        tries = self.jobs.settings.max_tries
        match job:
            case PlayEpisode(episode=episode) | ContinueEpisode(episode=episode):
                await EpisodeFactory(self.company).give_up(episode, reason, tries)
            case Evaluate(evaluation=evaluation):
                await self.desk.give_up(evaluation, reason, tries)

    def _out_of_budget(self, spent: BudgetSpent) -> None:
        event = RunPaused(reason="budget", detail=str(spent))
        self._spawn(asyncio.to_thread(pause_run, self.store, spent.run, event))

    async def _remind(self) -> None:
        while True:
            await asyncio.sleep(REMIND_S)
            self.company.remind()
            try:
                await asyncio.to_thread(self.ledger.refresh_budgets)
            except Exception as error:
                if not _is_outage(error):
                    raise
                log.warning("budgets_not_refreshed", error_type=type(error).__name__)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _stop_nats(self) -> None:
        if self.nats is not None:
            await asyncio.to_thread(self.nats.stop)


def _is_outage(error: Exception) -> bool:
    """Whether NATS or the database is away, which is no job's fault."""
    return isinstance(error, OUTAGES) or is_away(error)
