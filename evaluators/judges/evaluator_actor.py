"""The evaluator: the actor that has a judge read an episode, and appends what it says."""

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import structlog

from actors.models.limits.halts import HALTS, Halt
from actors.models.recording.call_log import LATE, CallLog
from actors.models.recording.stream_calls import StreamCalls
from actors.runtime.actors.persistent_actor import PersistentActor
from actors.runtime.bus.announcements import announce
from actors.runtime.bus.nats_bus import Bus
from evaluators.judges import metrics
from evaluators.judges.earlier_episodes import past_of
from evaluators.judges.judged_episode import History, started_of
from evaluators.judges.make_judge import Judge
from evaluators.registry import check_fit
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Envelope, Event
from events.evaluation import (
    EvaluationEnded,
    EvaluationFailed,
    EvaluationReopened,
    EvaluationStarted,
    JudgeKind,
    JudgeSpec,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.ids import new_event_id
from events.serialization.codec import event_of
from events.serialization.fingerprints import judge_hash
from events.wire import subjects
from events.wire.messages import Evaluate
from store.log.event_store import EventStore
from store.read_model.episode_history import read_history

log = structlog.get_logger(__name__)


class EvaluationRequest(NamedTuple):
    """What an evaluator is sent."""

    job: Evaluate
    judge: JudgeSpec
    """The one that the job names, as the log has it."""


class EvaluationState(msgspec.Struct, frozen=True):
    """How far an evaluation is."""

    calls: CallLog
    started: bool = False
    over: bool = False


class EvaluatorActor(PersistentActor[EvaluationState]):
    """One evaluation. It reads the episode, asks the judge, and appends the scores; what it reads
    it never touches. Sent ``Judging`` it begins, or goes on after the last answer recorded."""

    beside = LATE

    def __init__(
        self,
        store: EventStore,
        bus: Bus,
        evaluation: str,
        judge_of: Callable[[EvaluationRequest], Judge],
        over: Callable[[str], None],
        halted: Callable[[str, Halt], None],
        *,
        job: EvaluationRequest | None = None,
    ) -> None:
        """``job``: what is to be done without being sent it, after a restart."""
        super().__init__(store, subjects.stream_name("evaluation", evaluation))
        self.bus = bus
        self.evaluation = evaluation
        self.judge_of = judge_of
        self.over = over
        self.halted = halted
        self.job = job
        self.judging = False
        self.beginning = ""
        """The id of the event it began with, which its scores name as their cause."""
        self.judge_kind: JudgeKind = "model"

    @property
    def calls(self) -> StreamCalls:
        """Records what the judge is asked; made for each, as in ``AgentActor._decide``."""
        return StreamCalls(lambda: self.state.calls, self.record_soon, self.claim)

    def initial(self) -> EvaluationState:
        """Nothing yet."""
        return EvaluationState(CallLog())

    def evolve(self, state: EvaluationState, event: Event) -> EvaluationState:
        change = msgspec.structs.replace
        match event:
            case EvaluationStarted():
                return change(state, started=True)
            case EvaluationEnded() | EvaluationFailed():
                return change(state, over=True)
            case EvaluationReopened():
                return change(state, over=False)
            case ModelAsked() | ModelAnswered() | ModelFailed():
                return change(state, calls=state.calls.evolve(event))
        return state

    def decide(self, state: EvaluationState, command: object) -> Sequence[Event]:
        """No command leads to an event by itself."""
        raise TypeError(f"an evaluator is sent Judging, not {type(command).__name__}")

    def on_receive(self, message: object) -> object:
        """Begin, unless it is under way or done."""
        if not isinstance(message, EvaluationRequest):
            return super().on_receive(message)
        self._begin_judging(message)
        return self.version

    def recovered(self) -> None:
        """Go on with what was under way."""
        if self.job is not None:
            self._begin_judging(self.job)

    def announce(self, envelopes: Sequence[Envelope]) -> None:
        """Scores are watched live, too."""
        subject = subjects.event(self.bus.space, "evaluation", self.evaluation)
        announce(self.bus, subject, envelopes)

    def react(self, appended: Sequence[tuple[int, Event]], envelopes: Sequence[Envelope]) -> None:
        """Count what was scored; say so when it is over."""
        metrics.count_scores(self.judge_kind, (event for _, event in appended))
        if self.state.over:
            self.over(self.evaluation)
            self.stop()

    def _begin_judging(self, judging: EvaluationRequest) -> None:
        if self.state.over:
            self.over(self.evaluation)
        elif not self.judging:
            self.judging = True
            self.correlation = judging.job.run
            self.judge_kind = judging.judge.kind
            self.spawn(self._evaluate(judging))

    async def _evaluate(self, judging: EvaluationRequest) -> None:
        job, spec = judging
        history, past = await asyncio.to_thread(_material, self.store, job.episode)
        if beginning := started_of(history):
            check_fit(spec, beginning.environment)
        judge = self.judge_of(judging)
        if not self.state.started:
            started = EvaluationStarted(
                episode=job.episode,
                upto=history[-1].number,
                judge=spec,
                judge_hash=judge_hash(spec),
                run=job.run,
                again_of=job.again_of,
            )
            self.beginning = new_event_id()
            await self.record((started,), event_ids=(self.beginning,))
        elif not self.beginning:
            first = await asyncio.to_thread(self.store.read, self.stream, 0, 0)
            self.beginning = first[0].event_id
        try:
            scores = await judge.evaluate(history, self.calls, past)
        except HALTS as why:
            self.judging = False
            self.halted(self.evaluation, why)
            return
        counted = Counter(type(score) for score in scores)
        before = 0.0
        if job.again_of:
            before = await asyncio.to_thread(_failed_in, self.store, job.again_of)
        ended = EvaluationEnded(
            scored=counted[Scored],
            failed=counted[ScoreFailed],
            abstained=counted[ScoreAbstained],
            supersedes=job.again_of if counted[ScoreFailed] <= before else "",
        )
        # All scores and the end together: an evaluation is whole or goes on.
        await self.record((*scores, ended), causation=self.beginning)


def _material(store: EventStore, episode: str) -> tuple[History, Sequence[History]]:
    """An episode's history, and the earlier episodes of its chain. Blocking."""
    history = read_history(store, episode)
    return history, past_of(store, history)


def _failed_in(store: EventStore, evaluation: str) -> float:
    """How many scores failed in an evaluation, its id in full; all there could be where it was
    given up. Blocking."""
    stored = store.read(subjects.stream_name("evaluation", evaluation))
    # An answer may have come after the end.
    last = next((event_of(one) for one in reversed(stored) if one.tag not in LATE), None)
    return last.failed if isinstance(last, EvaluationEnded) else math.inf
