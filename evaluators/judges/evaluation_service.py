"""The evaluations of one process: accepts jobs, starts evaluators, and waits for their results."""

import asyncio
from collections.abc import Callable

import structlog

from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from actors.models.limits.halts import Halt
from actors.runtime.actors.failure_event import record_failure
from actors.runtime.actors.host import ActorHost
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.jobs.queue import JobOwnershipLost
from evaluators.judges.evaluator_actor import EvaluationRequest, EvaluatorActor
from evaluators.judges.make_judge import Judge, judge_for
from events.evaluation import EvaluationEnded, EvaluationFailed, JudgeSpec
from events.wire.messages import Evaluate
from events.wire.subjects import stream_name
from store.log.event_store import EventStore

log = structlog.get_logger(__name__)


class EvaluationService:
    """Runs evaluations as actors of a host."""

    kind = "evaluation"

    def __init__(
        self,
        store: EventStore,
        bus: Bus,
        host: ActorHost,
        caller: ModelCaller,
        budget_of: Callable[[str], BudgetKeeper | None],
    ) -> None:
        self.store, self.bus, self.host, self.caller = store, bus, host, caller
        self.budget_of = budget_of
        self.waiting: dict[str, asyncio.Future[None]] = {}
        self.jobs: dict[str, EvaluationRequest] = {}
        """What to do, for actors that have to be restarted."""
        host.register(self)
        host.on_ownership_lost.append(self._taken_over)

    async def evaluate(self, job: Evaluate, judge: JudgeSpec) -> None:
        """Have an evaluation done by the judge that the job names; harmless when it is done
        already.

        Raises ``BudgetSpent`` when its run may spend no more, ``ModelUnavailable`` when the judge's
        model cannot be asked, and ``JobOwnershipLost`` when another process does it.
        """
        judging = EvaluationRequest(job, judge)
        waiting = self.waiting.get(job.evaluation)
        if waiting is None:
            waiting = self.waiting[job.evaluation] = asyncio.get_running_loop().create_future()
            self.jobs[job.evaluation] = judging
        self.host.tell(self.kind, job.evaluation, judging)
        await asyncio.shield(waiting)

    def create(self, evaluation: str, /) -> EvaluatorActor:
        return EvaluatorActor(
            self.store,
            self.bus,
            evaluation,
            self._judge_of,
            self._over,
            self._halted,
            job=self.jobs.get(evaluation),
        )

    async def give_up(self, evaluation: str, reason: str, attempts: int, /) -> None:
        """Record that no scores can be had. Called when the evaluation's actor has failed again and
        again and is gone, so that nobody else writes; the version read fences whoever would."""
        stream = stream_name(self.kind, evaluation)
        failed = EvaluationFailed(reason=reason, attempts=attempts)
        over = (EvaluationEnded.__name__, EvaluationFailed.__name__)
        await asyncio.to_thread(record_failure, self.store, stream, failed, unless=over)
        self._over(evaluation)

    def _judge_of(self, judging: EvaluationRequest) -> Judge:
        return judge_for(judging.judge, self.caller, self.budget_of(judging.job.run))

    def _over(self, evaluation: str) -> None:
        waiting = self._done_with(evaluation)
        if waiting is not None:
            waiting.set_result(None)

    def _halted(self, evaluation: str, why: Halt) -> None:
        waiting = self._done_with(evaluation)
        if waiting is not None:
            waiting.set_exception(why)

    def _taken_over(self, kind: str, id_: str) -> None:
        if kind != self.kind:
            return
        waiting = self._done_with(id_)
        if waiting is not None:
            waiting.set_exception(JobOwnershipLost())

    def _done_with(self, evaluation: str) -> asyncio.Future[None] | None:
        """The future of a caller that still waits."""
        self.jobs.pop(evaluation, None)
        waiting = self.waiting.pop(evaluation, None)
        return None if waiting is None or waiting.done() else waiting
