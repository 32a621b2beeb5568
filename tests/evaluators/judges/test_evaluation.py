"""The evaluator's actor at its desk: scores appended beside the episode, whole or not at all."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

import evaluators.judges.evaluation_service
from actors.models.caller import ModelCaller
from actors.models.errors import BudgetSpent
from actors.models.recording.call_log import CallRecorder
from actors.models.registry import Models
from actors.runs.execution.coordinator import evaluation_job
from actors.runtime.actors.host import ActorHost
from actors.runtime.actors.supervision import RestartPolicy
from actors.runtime.jobs.queue import JobOwnershipLost
from evaluators.judges.evaluation_service import EvaluationService
from evaluators.judges.judge_file import judge_named
from evaluators.judges.judged_episode import History
from events.agent import ModelAnswered, ModelAsked
from events.base import replace
from events.chain import ChainStarted
from events.evaluation import (
    EvaluationEnded,
    EvaluationFailed,
    EvaluationStarted,
    JudgeSpec,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.memory import MemorySpec
from events.wire.messages import Evaluate
from store.log.event_store import NEW
from tests.support.builders import episode, started
from tests.support.managed_episodes import open_at
from tests.support.runs import events_of
from tests.support.servers.nats_server import Connect, until

SCORES = (
    Scored(seat=0, dimension="goal", value=3.0, reason="He tried."),
    ScoreFailed(seat=1, dimension="goal", error="unreadable", raw="?"),
    ScoreAbstained(seat=1, dimension="secret"),
)
MOVES = [(0, "Three hundred."), (1, "Two hundred."), (0, "Two fifty.")]


class Judge:
    """Asks a model once, and fails as often as the test says."""

    def __init__(self) -> None:
        self.failures = 0
        self.asked = 0
        self.spent: BudgetSpent | None = None
        self.read: History = ()
        self.past: Sequence[History] = ()
        self.answer = asyncio.Event()
        self.answer.set()

    async def evaluate(self, history: History, calls: CallRecorder, past: Sequence[History] = ()):
        """The scores."""
        self.read, self.past = history, past
        if self.spent is not None:
            raise self.spent
        if not calls.answers_to(0, 0):
            self.asked += 1
            await calls.record(
                ModelAsked(turn=0, attempt=0, purpose="judge", model="m", request_hash="hash")
            )
            await self.answer.wait()
            await calls.record(ModelAnswered(turn=0, attempt=0, request_hash="hash", text="Well."))
        if self.failures:
            self.failures -= 1
            raise RuntimeError("a bug in a judge")
        return SCORES


STRICT = judge_named("rehearsal-strict")
JOB: Evaluate = evaluation_job("e1", STRICT, "r1")


class Office:
    """A service with a host of its own, and an episode to read."""

    def __init__(self, store, bus, judge: Judge) -> None:
        self.store, self.judge = store, judge
        self.caller = ModelCaller(Models())
        self.host = ActorHost(policy=RestartPolicy(attempts=3, first_s=0.01, longest_s=0.02))
        self.service = EvaluationService(store, bus, self.host, self.caller, lambda _: None)

    async def evaluate(self, job: Evaluate = JOB, judge: JudgeSpec = STRICT) -> None:
        """As a worker does."""
        await asyncio.wait_for(self.service.evaluate(job, judge), 60.0)

    @property
    def events(self) -> list:
        """The evaluation's stream."""
        return events_of(self.store, f"evaluation-{JOB.evaluation}")


@pytest.fixture
def store(tmp_path: Path):
    store = open_at(tmp_path)
    store.append("episode-e1", NEW, episode(started(run="r1"), MOVES))
    yield store
    store.close()


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    """The judge that every service hands out."""
    judge = Judge()
    monkeypatch.setattr(evaluators.judges.evaluation_service, "judge_for", lambda *_: judge)
    return judge


@pytest.fixture
async def office(store, bus, judge: Judge):
    office = Office(store, bus, judge)
    yield office
    await office.host.stop(5.0)
    await office.caller.close()


async def test_scores_and_what_is_missing_are_appended_and_the_episode_is_untouched(
    store, office: Office, judge: Judge
):
    before = store.read("episode-e1")
    await office.evaluate()
    first, asked, answered, *scores, ended = office.events
    assert isinstance(first, EvaluationStarted)
    assert (first.episode, first.upto, first.run) == ("e1", len(before) - 1, "r1")
    assert isinstance(asked, ModelAsked)
    assert isinstance(answered, ModelAnswered)
    assert tuple(scores) == SCORES
    assert ended == EvaluationEnded(scored=1, failed=1, abstained=1)
    assert store.read("episode-e1") == before
    assert [n.envelope for n in judge.read] == before


async def test_a_judge_of_a_chains_episode_gets_what_was_before(
    store, office: Office, judge: Judge
):
    chain = ChainStarted(
        run="r1",
        catalog="test",
        characters=("ada", "ben"),
        minds=started().minds,
        memory=MemorySpec(name="none", module="none"),
        episodes=("e1", "e2"),
        scenarios=("stall", "stall"),
    )
    store.append("chain-h1", NEW, [chain])
    store.append("episode-e2", NEW, episode(started(run="r1", chain="h1", index=1), MOVES[:1]))
    await office.evaluate()
    assert len(judge.past) == 0
    second = evaluation_job("e2", STRICT, "r1")
    await office.evaluate(second)
    [before] = judge.past
    assert [n.envelope for n in before] == store.read("episode-e1")


async def test_asked_for_twice_it_is_done_once(office: Office, judge: Judge):
    both = asyncio.gather(office.evaluate(), office.evaluate())
    await asyncio.wait_for(both, 60.0)
    events = office.events
    await office.evaluate()
    assert office.events == events
    assert judge.asked == 1


async def test_a_judge_that_fails_is_tried_again_without_paying_again(office: Office, judge: Judge):
    judge.failures = 2
    await office.evaluate()
    assert isinstance(office.events[-1], EvaluationEnded)
    assert judge.asked == 1
    assert sum(isinstance(event, EvaluationStarted) for event in office.events) == 1


async def test_a_judge_that_fails_again_and_again_is_given_up_with_the_reason(
    office: Office, judge: Judge
):
    judge.failures = 99
    await office.evaluate()
    failed = office.events[-1]
    assert failed == EvaluationFailed(reason="RuntimeError: a bug in a judge", attempts=3)
    await office.service.give_up(JOB.evaluation, "again", 5)
    assert office.events[-1] == failed


async def test_an_episode_is_not_scored_by_a_rubric_that_does_not_fit_it(
    store, office: Office, judge: Judge
):
    judge_of_coins = replace(judge_named("facts"), rubric="coins")
    unfit = evaluation_job("e1", judge_of_coins, "r1")
    await office.evaluate(unfit, judge_of_coins)
    [failed] = events_of(store, f"evaluation-{unfit.evaluation}")
    assert isinstance(failed, EvaluationFailed)
    assert "there is no rubric 'coins'" in failed.reason
    assert judge.asked == 0


async def test_a_spent_budget_is_told_and_a_larger_one_goes_on(office: Office, judge: Judge):
    judge.spent = BudgetSpent("r1", "usd", 1.0, 1.0)
    with pytest.raises(BudgetSpent):
        await office.evaluate()
    judge.spent = None
    await office.evaluate()
    assert isinstance(office.events[-1], EvaluationEnded)


async def test_of_two_processes_on_one_evaluation_one_does_it_and_the_other_is_told(
    store, judge: Judge, office: Office, connect: Connect
):
    other = Office(store, await connect(), judge)
    judge.answer.clear()
    both = [
        asyncio.ensure_future(service.evaluate(JOB, STRICT))
        for service in (office.service, other.service)
    ]
    await until(lambda: judge.asked == 2 or both[0].done() or both[1].done())
    judge.answer.set()
    told = await asyncio.wait_for(asyncio.gather(*both, return_exceptions=True), 60.0)
    assert sum(outcome is None for outcome in told) == 1
    assert sum(isinstance(outcome, JobOwnershipLost) for outcome in told) == 1
    ends = (EvaluationEnded, EvaluationFailed)
    await until(lambda: any(isinstance(event, ends) for event in office.events))
    assert [type(e) for e in office.events if isinstance(e, ends)] == [EvaluationEnded]
    assert sum(isinstance(event, ModelAnswered) for event in office.events) == 1
    await other.host.stop(5.0)
    await other.caller.close()
