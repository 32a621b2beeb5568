"""Everything a process needs to play and to score: NATS, actors, models, jobs."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Coroutine
from functools import partial
from time import monotonic
from typing import Self

import structlog
from cachetools import LRUCache

from actors.episodes.process.factories import EpisodeFactory
from actors.episodes.process.manager import EpisodeManager
from actors.episodes.process.outcome import Outcome
from actors.episodes.process.passivation import PASSIVATE_AFTER_S, Passivation
from actors.episodes.rules.decide import EpisodeState
from actors.lifelong.manager import ChainManager
from actors.lifelong.memory.recall import memory_text
from actors.minds.make_mind import MindMaker
from actors.models.caller import ModelCaller
from actors.models.errors import BudgetSpent
from actors.models.limits.halts import HALTS, Halt, is_lasting
from actors.runs.execution.coordinator import pause_run
from actors.runs.execution.run_cache import AwaitsConsent, RunCache, UnplannedEpisode
from actors.runs.state import RunState
from actors.runtime.actors.host import ActorHost
from actors.runtime.actors.supervision import is_outage
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.runtime.jobs.queue import (
    JobDeferred,
    JobImpossible,
    JobOwnershipLost,
    JobPassivated,
    JobQueue,
    JobSettings,
)
from evaluators.judges.evaluation_service import EvaluationService
from events.episode import EpisodeStarted
from events.evaluation import JudgeSpec
from events.run import RunPaused
from events.serialization.codec import NewerEvent
from events.serialization.named_models import named_models
from events.untrusted.limits import MIB
from events.wire.messages import ContinueEpisode, Evaluate, Job, PlayEpisode
from events.wire.subjects import stream_name
from gateway.models.configured_models import models_here
from gateway.models.model_holds import ModelHolds
from gateway.models.model_warnings import ModelWarnings
from gateway.process.lease_holders import HeldElsewhere
from gateway.process.load_limit import LoadLimit
from gateway.process.process_limits import Tuning
from gateway.process.process_registry import ProcessRegistration
from gateway.process.run_leases import RunLease, RunLeases
from gateway.settings import Settings
from store.leases import leases
from store.log.event_store import NEW, EventStore
from store.log.imported_events import STREAM as IMPORTS
from store.model_abilities import ModelAbilities
from store.read_model import queries

log = structlog.get_logger(__name__)

REMIND_S = 15.0
"""How often seats that have not answered are asked again, in seconds."""
UNANSWERED_S = 5.0
"""Those that were asked so lately are not, in seconds: most of them are about to answer."""
OUTAGE_S = 2.0
"""When a job is tried again that met an outage of NATS or the database, in seconds."""
MODEL_TRIES = 4
"""How often a job is put off because a model gave no answer after all its retries; then its run is
paused."""
MODEL_FIRST_S, MODEL_LONGEST_S = 5.0, 300.0
"""For how long it is put off first, in seconds; then twice as long each time, up to a bound."""
PAUSED_LOOK_S = 0.5
"""How often it is looked whether a run whose episodes are here was paused, in seconds."""
NOT_YET_S = 1.0
"""When an episode is tried again whose predecessor in its chain is not over, in seconds."""


class WorkerNode:
    """Use it as ``async with WorkerNode(settings, store) as node``."""

    def __init__(
        self,
        settings: Settings,
        store: EventStore,
        *,
        witness: Callable[[str, EpisodeState], None] | None = None,
        command: str = "",
    ) -> None:
        """``command``: what this process was started as, for other commands to know."""
        self.witness = witness
        self.command = command
        self.settings, self.store = settings, store
        self.runs = RunCache(store)
        self.nats: EmbeddedNats | None = None
        self.halted: dict[str, RunPaused] = {}
        """Why runs were halted here, by run; by the empty word what belongs to none."""
        self.outdated: NewerEvent | None = None
        """What a newer version has stored, once something of it was met here."""
        self._draining = False
        self._put_off: Counter[str] = Counter()
        """How often each job was put off because a model gave no answer."""
        self._ready: LRUCache[str, bool] = LRUCache(maxsize=1_000)
        """The last runs whose models can be asked without anything being loaded."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        url, token = self.settings.nats_url, self.settings.nats_token
        if self.settings.embedded_nats:
            self.nats = EmbeddedNats(self.settings.data_dir)
            await asyncio.to_thread(self.nats.start)
            url, token = self.nats.url, self.nats.token
        try:
            self.bus = await Bus.connect(
                url,
                token=token,
                space=self.settings.space,
                max_pending_bytes=self.settings.tuning.nats_pending_mib * MIB,
            )
        except BaseException:
            await self._stop_nats()
            raise
        tuning = self.settings.tuning
        models = models_here(self.settings)
        self.caller = ModelCaller(
            models, patience_s=tuning.model_patience_s, abilities=ModelAbilities(self.store)
        )
        pressure = LoadLimit(self.store, self.bus, self.caller, tuning)
        self.jobs = JobQueue(self.bus, job_settings(tuning), backpressure=pressure)
        try:
            await self.jobs.ensure()
            own = ("", "")
            if self.nats is not None:
                # Jobs of a process that was killed: what is to be done, the store knows.
                await self.jobs.forget()
                own = (url, token)
            self.presence = ProcessRegistration(self.settings, self.command, *own).__enter__()
            self.leases = RunLeases(
                self.settings,
                self.store,
                self.presence,
                self.jobs.lease,
                self.jobs.runs,
                self._taken_over,
            )
        except BaseException:
            await self.bus.close()
            await self._stop_nats()
            raise
        self.host = ActorHost(
            hold_limit=tuning.inbox, inbox_limit=tuning.inbox, lease=self.jobs.lease
        )
        self.host.on_failure.append(self._met)
        self.holds = ModelHolds(self.store, self.runs, self.caller)
        self.minds = MindMaker(self.store, self.caller, self.runs.budget_of)
        self.episodes = EpisodeManager(
            self.store,
            self.bus,
            self.host,
            self.minds.make,
            self._halted,
            self.witness,
            partial(memory_text, self.store),
            Passivation(
                after_s=PASSIVATE_AFTER_S,
                wake=partial(self.jobs.wake, "episode"),
                drop=partial(self.jobs.drop, "episode"),
                set_aside=partial(self.jobs.set_aside, "episode"),
            ),
        )
        self.chains = ChainManager(
            self.store,
            self.bus,
            self.host,
            self.episodes,
            self.caller,
            self.runs.budget_of,
            self._halted,
        )
        self.evaluations = EvaluationService(
            self.store, self.bus, self.host, self.caller, self.runs.budget_of
        )
        # What was said while NATS was away is said again.
        self.bus.on_reconnect(self.episodes.redeliver)
        self._spawn(self._remind())
        self._spawn(self.holds.watch())
        self._spawn(ModelWarnings(self.store, self.runs, self.caller, self.holds).watch())
        self._spawn(self._let_go_of_paused())
        self._spawn(self.leases.keep())
        self._spawn(self.episodes.passivation.keep_asking(self.episodes.ask_again))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        end = monotonic() + self.settings.tuning.grace_s
        await self.drain()
        await self.host.stop()
        # What the agents waited for may still come, as far as there is time left.
        await self.caller.close(max(0.0, end - monotonic()))
        await self.bus.close()
        self.presence.__exit__(None, None, None)
        await self._stop_nats()

    def _taken_over(self, tenure: RunLease, by: HeldElsewhere) -> None:
        """Another process carries out what this one did. Where they share a queue the jobs are
        whose they are; else nothing more of the run is asked here."""
        if by.lease is None or by.lease.queue != self.leases.holder.queue:
            self._leave_to_others(tenure.run, str(by))

    def _leave_to_others(self, run: str, why: str) -> None:
        self.jobs.lease.lost.add(run)
        self.episodes.suspend_run(run, Outcome("suspended", why))

    async def drain(self) -> None:
        """Take no more jobs, let each episode under way come to the end of its turn, and hand it
        over to whoever has room. What waits for a model that is held does so no longer. Takes
        ``grace_s`` seconds at most, and harmless when repeated."""
        grace = self.settings.tuning.grace_s
        if not self._draining:
            report = self.jobs.report()
            log.info("draining", episodes=report.episodes, evaluations=report.evaluations)
        self._draining = True
        self.caller.let_go()
        await asyncio.gather(
            self.jobs.stop(grace), self.episodes.suspend_all(grace), self.chains.suspend_all(grace)
        )

    async def work(self, episodes: int) -> None:
        """Take jobs: so many episodes at once, and evaluations beside them. What asking the models
        of runs that are not over needs is loaded first."""
        try:
            for row in await asyncio.to_thread(queries.running, self.store):
                if not row.archived and not row.taken_to:
                    await self._ready_for(await asyncio.to_thread(self.runs.run, row.id), row.id)
        except Exception as error:
            if not is_outage(error):
                raise
            log.warning("models_not_loaded_yet", error_type=type(error).__name__)
        await self.jobs.work("episode", self._play, concurrency=episodes, on_dead_letter=self._dead)
        evaluations = self.settings.tuning.evaluations_at_once
        await self.jobs.work(
            "evaluation", self._evaluate, concurrency=evaluations, on_dead_letter=self._dead
        )

    async def _ready_for(self, state: RunState | None, run: str) -> None:
        """Have all loaded that asking a run's models needs: no episode of it is in hand yet."""
        if state is not None and run not in self._ready and not state.awaits_consent:
            await self.caller.ready(named_models(state.plan))
            self._ready[run] = True

    def _met(self, error: BaseException) -> None:
        if isinstance(error, NewerEvent):
            self.outdated = error

    async def _play(self, job: Job) -> None:
        assert isinstance(job, PlayEpisode | ContinueEpisode)
        try:
            with self.holds.working_for(job.run):
                outcome = await self._outcome(job)
        except AwaitsConsent as error:
            log.warning("job_awaits_consent", episode=job.episode, run=job.run)
            self.episodes.let_go(job.episode)
            outcome = Outcome("suspended", str(error))
        except Exception as error:
            if not is_outage(error):
                raise
            # It does not count as a try.
            self._met(error)
            self.episodes.let_go(job.episode)
            raise JobDeferred(OUTAGE_S) from error
        if outcome.kind != "put_off":
            self._put_off.pop(job.episode, None)
        match outcome.kind:
            case "stopping":
                raise JobDeferred(0.0)
            case "not_yet":
                raise JobDeferred(NOT_YET_S)
            case "ownership_lost":
                raise JobOwnershipLost
            case "passivated":
                raise JobPassivated
            case "put_off":
                self._try_later(job.episode, job.run, outcome.reason)
            case "suspended":
                # Done with as far as the queue goes: who resumes the run queues it again.
                log.debug("episode_waits", episode=job.episode, run=job.run, reason=outcome.reason)

    async def _outcome(self, job: PlayEpisode | ContinueEpisode) -> Outcome:
        episode, run = job.episode, job.run
        if run in self.jobs.lease.lost:
            self.episodes.let_go(episode)
            return Outcome("suspended", "its run is another process's")
        state, started = await asyncio.to_thread(self._run_of, job)
        if state is not None and state.status != "running":
            self.episodes.let_go(episode)
            return Outcome("suspended", "its run waits")
        await self._ready_for(state, run)
        if state is not None and started is not None and started.chain:
            begun = self.runs.chain_beginning(run, state, started.chain)
            return await self.chains.play(begun, episode, started)
        return await self.episodes.play(episode, run, started)

    async def _evaluate(self, job: Job) -> None:
        assert isinstance(job, Evaluate)
        if job.run in self.jobs.lease.lost:
            return
        try:
            judge = await asyncio.to_thread(self._judge_of, job)
            await self.caller.ready(named_models(judge))
            with self.holds.working_for(job.run):
                await self.evaluations.evaluate(job, judge)
            self._put_off.pop(job.evaluation, None)
        except HALTS as why:
            log.debug("evaluation_waits", evaluation=job.evaluation, reason=str(why))
            if is_lasting(why):
                self._halted(job.run, why)
            else:
                self._try_later(job.evaluation, job.run, str(why))
        except Exception as error:
            if not is_outage(error):
                raise
            # It does not count as a try.
            self._met(error)
            raise JobDeferred(OUTAGE_S) from error

    async def _dead(self, job: Job, reason: str) -> None:
        """A job that failed too often, for a reason outside its actor: say so in its stream."""
        tries = self.jobs.settings.max_tries
        match job:
            case PlayEpisode(run=run, episode=episode):
                chain, episodes = await asyncio.to_thread(self._chain_of, run, episode)
                if chain:
                    await self.chains.give_up(chain, episodes, reason, tries)
                else:
                    await EpisodeFactory(self.episodes).give_up(episode, reason, tries)
            case ContinueEpisode(episode=episode):
                await EpisodeFactory(self.episodes).give_up(episode, reason, tries)
            case Evaluate(evaluation=evaluation):
                await self.evaluations.give_up(evaluation, reason, tries)

    # Each change of threads costs as much as what is looked up: one a job.
    def _run_of(
        self, job: PlayEpisode | ContinueEpisode
    ) -> tuple[RunState | None, EpisodeStarted | None]:
        """The run of an episode's job, and how the episode begins where the run plans it. None: it
        belongs to none; it has begun, or its run is stopped. Blocking.

        Raises ``JobImpossible``; and ``AwaitsConsent``, where the run is not stopped anyway."""
        stream = stream_name("episode", job.episode)
        state, imports = self.runs.run_beside(job.run, IMPORTS)
        if job.run and state is None:
            raise JobImpossible(f"there is no run {job.run}")
        if state is not None and state.status != "running":
            return state, None
        self.runs.check_consent(state, stream, imports)
        if state is not None and isinstance(job, PlayEpisode):
            try:
                return state, self.runs.beginning(job.run, state, job.episode)
            except UnplannedEpisode as error:
                # Perhaps it is another run's, in whose stream nothing is to be said of this.
                raise JobImpossible(str(error)) from error
        if self.store.version(stream) == NEW:
            raise JobImpossible(f"there is no episode {job.episode}")
        return state, None

    def _judge_of(self, job: Evaluate) -> JudgeSpec:
        """The judge of a job. Blocking. Raises ``JobImpossible``."""
        state, version = self.runs.run_beside(job.run, stream_name("episode", job.episode))
        if version == NEW:
            raise JobImpossible(f"there is no episode {job.episode}")
        judge = self.runs.judge_of(job, state)
        if judge is None:
            raise JobImpossible(f"run {job.run or 'none'} has no judge for {job.evaluation}")
        return judge

    def _chain_of(self, run: str, episode: str) -> tuple[str, tuple[str, ...]]:
        """The chain an episode of a run belongs to and that chain's episodes; empty: none."""
        state = self.runs.run(run)
        chain = state.chain_of(episode) if state is not None else None
        return ("", ()) if chain is None else (chain.id, chain.episodes)

    def _halted(self, run: str, why: Halt) -> None:
        """Something cannot go on. Where that lasts its run is paused, and its episodes stay where
        they are; else its job comes back later."""
        if is_lasting(why):
            spent = isinstance(why, BudgetSpent)
            self._pause(run, RunPaused(reason="budget" if spent else "model", detail=str(why)))

    def _try_later(self, id_: str, run: str, why: str) -> None:
        """Put a job off whose model gave no answer. Raises ``JobDeferred``, until it was put off
        too often: then its run is paused."""
        if self._draining:
            raise JobDeferred(0.0)
        self._put_off[id_] += 1
        tries = self._put_off[id_]
        if tries <= MODEL_TRIES:
            raise JobDeferred(min(MODEL_FIRST_S * 2 ** (tries - 1), MODEL_LONGEST_S))
        del self._put_off[id_]
        self._pause(run, RunPaused(reason="model", detail=why))

    def _pause(self, run: str, event: RunPaused) -> None:
        self.halted[run] = event
        if run:
            self.episodes.suspend_run(run, Outcome("suspended", event.detail))
            self._spawn(asyncio.to_thread(pause_run, self.store, run, event))

    async def _remind(self) -> None:
        while True:
            await asyncio.sleep(REMIND_S)
            self.episodes.redeliver(UNANSWERED_S)
            try:
                await asyncio.to_thread(self.runs.refresh_budgets)
            except Exception as error:
                if not is_outage(error):
                    raise
                log.warning("budgets_not_refreshed", error_type=type(error).__name__)

    async def _let_go_of_paused(self) -> None:
        """Leave the episodes of runs where they are that are paused or ended, or that a process
        with a queue of its own has taken over."""
        while True:
            await asyncio.sleep(PAUSED_LOOK_S)
            runs = {ending.run for ending in self.episodes.endings.values()} - {""}
            try:
                states = [(run, await asyncio.to_thread(self.runs.run, run)) for run in runs]
                await self._look_for_holders(runs)
            except Exception as error:
                if not is_outage(error):
                    raise
                log.warning("runs_not_looked_at", error_type=type(error).__name__)
                continue
            for run, state in states:
                if state is not None and (state.status != "running" or state.awaits_consent):
                    log.info("run_let_go", run=run, status=state.status)
                    self.episodes.suspend_run(run, Outcome("suspended", "its run waits"))

    async def _look_for_holders(self, runs: Collection[str]) -> None:
        lost = self.jobs.lease.lost - {""}
        if not (asked := (lost | set(runs)) - self.jobs.runs):
            return
        found = await asyncio.to_thread(leases, self.store, asked)
        own_queue = self.leases.holder.queue
        others = {one.name: one for one in found if not one.lapsed and one.queue != own_queue}
        self.jobs.lease.lost.difference_update(lost - others.keys())
        for run in others.keys() - lost:
            self._leave_to_others(run, str(HeldElsewhere(run, others[run])))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _stop_nats(self) -> None:
        if self.nats is not None:
            await asyncio.to_thread(self.nats.stop)


def job_settings(tuning: Tuning) -> JobSettings:
    """How the job queue is to be, of a process that is set up like this."""
    return JobSettings(
        ack_wait=tuning.ack_wait_s, max_tries=tuning.job_tries, replicas=tuning.job_replicas
    )
