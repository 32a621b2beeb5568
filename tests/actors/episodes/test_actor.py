"""The social environment's actor and its company: who is asked, told and let go."""

import asyncio

import pytest

from actors.episodes.delivery.wire import wire_of
from actors.episodes.mind import Decision, Scene
from actors.episodes.process.outcome import STOPPING
from actors.models.errors import BudgetSpent, ModelUnavailable
from actors.models.recording.call_log import CallRecorder
from actors.runtime.bus.nats_bus import Received
from actors.runtime.errors import CommandRefused
from actors.social.actions import Action
from actors.social.setup import EpisodeRules
from events.episode import ActionTaken, EpisodeEnded, EpisodeFailed, TurnOpened
from events.serialization.codec import decode_reply, encode
from events.wire import subjects
from events.wire.messages import (
    Accepted,
    Answer,
    EpisodeOver,
    Look,
    Observation,
    Refused,
    TakeAction,
    TakeActions,
)
from store.log.event_store import EventStore
from tests.actors.episodes.test_agent import Waiting
from tests.support.builders import mind, started
from tests.support.managed_episodes import Company, Speaker
from tests.support.runs import events_of
from tests.support.servers.nats_server import Connect, until

FAR = (mind("far", kind="remote"), mind("near"))


class Heard:
    """All that a seat is sent."""

    def __init__(self) -> None:
        self.shown: list[Observation | EpisodeOver] = []

    def __call__(self, received: Received) -> None:
        self.shown.append(wire_of("social").decode_seat_message(received.data))


async def test_an_episode_is_played_to_its_cap_by_minds_over_nats(store, bus):
    async with Company(store, bus) as company:
        events = await company.begin(started(rules=EpisodeRules(turn_cap=5))).ended()
    assert [e.turn for e in events if isinstance(e, ActionTaken)] == [1, 2, 3, 4, 5]
    assert isinstance(events[-1], EpisodeEnded)
    assert events[-1].reason == "turn_cap"


async def test_an_episode_that_cannot_begin_is_given_up_at_once_with_the_reason(store, bus):
    alone = started(minds=(mind("only"),))
    async with Company(store, bus) as company:
        assert (await company.social.play("e1", "r1", alone)).kind == "over"
        assert (await company.social.play("e1", "r1", alone)).kind == "over"
    (failed,) = events_of(store, "episode-e1")
    assert isinstance(failed, EpisodeFailed)
    assert "seat" in failed.reason


async def test_an_unanswered_seat_is_asked_again_with_everything_it_may_know(store, bus, connect):
    stranger, heard = await connect(), Heard()
    async with Company(store, bus) as company:
        await stranger.subscribe(subjects.seat(bus.space, "e1", 0), heard)
        await stranger.flush()
        playing = company.begin(started(minds=FAR), "e1")
        await until(lambda: heard.shown)
        company.social.redeliver()
        await until(lambda: len(heard.shown) == 2)
        reply = await stranger.nats.request(
            subjects.command(bus.space, "episode", "e1"), encode(Look(seat=0)), 60.0
        )
        await until(lambda: len(heard.shown) == 3)
        assert decode_reply(reply.data) == Accepted(version=1)
        assert heard.shown[0] == heard.shown[1] == heard.shown[2]
        assert heard.shown[0].background is not None
        assert not playing.task.done()
        playing.task.cancel()


async def test_who_was_asked_lately_is_not_asked_again(store, bus, connect):
    stranger, heard = await connect(), Heard()
    async with Company(store, bus) as company:
        await stranger.subscribe(subjects.seat(bus.space, "e1", 0), heard)
        await stranger.flush()
        playing = company.begin(started(minds=FAR), "e1")
        await until(lambda: heard.shown)
        company.social.redeliver(after_s=600.0)
        company.social.redeliver()
        await until(lambda: len(heard.shown) > 1)
        await bus.flush()
        await stranger.flush()
        assert len(heard.shown) == 2
        playing.task.cancel()


class Pensive:
    """A mind that answers until some turn, and then thinks for ever."""

    def __init__(self, until: int) -> None:
        self.until = until

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """Something, or nothing."""
        if scene.turn >= self.until:
            await asyncio.Event().wait()
        return Decision(action=Action(kind="speak", text="yes"))


async def test_a_mind_of_this_process_is_asked_again_as_it_was_asked(store, bus, connect):
    stranger, heard = await connect(), Heard()
    async with Company(store, bus, Pensive(until=3)) as company:
        await stranger.subscribe(subjects.seat(bus.space, "e1", 0), heard)
        await stranger.flush()
        playing = company.begin(started(), "e1")
        await until(lambda: len(heard.shown) == 2)
        company.social.redeliver()
        await until(lambda: len(heard.shown) == 3)
        assert heard.shown[2] == heard.shown[1]
        assert heard.shown[0].background is not None
        assert heard.shown[2].background is None
        playing.task.cancel()


async def test_where_nobody_holds_jobs_an_episode_that_is_read_again_stays_in_memory(
    store, bus, connect
):
    async with Company(store, bus) as company:
        playing = company.begin(started(minds=(FAR[0], FAR[0])), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        await company.social.suspend_all(5.0)
        assert await playing.task == STOPPING
        stranger, heard = await connect(), Heard()
        await stranger.subscribe(subjects.seat(bus.space, "e1", 0), heard)
        await stranger.flush()
        again = company.go_on("e1")
        await until(lambda: heard.shown)
        company.social.redeliver()
        await until(lambda: len(heard.shown) == 2)
        assert ("episode", "e1") in company.host
        assert not again.task.done()
        again.task.cancel()


async def test_everybody_is_told_the_end(store, bus, connect):
    stranger, heard = await connect(), Heard()
    async with Company(store, bus) as company:
        await stranger.subscribe(subjects.seat(bus.space, "e1", 0), heard)
        await stranger.flush()
        playing = company.begin(started(minds=FAR), "e1")
        await until(lambda: heard.shown)
        leave = TakeAction(seat=0, turn=1, action=Action(kind="leave"))
        await stranger.nats.request(
            subjects.command(bus.space, "episode", "e1"), encode(leave), 60.0
        )
        await playing.ended()
        await until(lambda: isinstance(heard.shown[-1], EpisodeOver))
    assert heard.shown[-1] == EpisodeOver(episode="e1", seat=0, mind="far", reason="left")


class Failing:
    """A mind with a mistake in it."""

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """Fail."""
        raise RuntimeError("a bug in a mind")


async def test_a_seat_whose_mind_fails_again_and_again_does_nothing_and_the_rest_goes_on(
    store, bus
):
    async with Company(store, bus, Failing()) as company:
        playing = company.begin(started(rules=EpisodeRules(turn_cap=2, stale_turns=0)))
        while not playing.task.done():
            company.social.redeliver()
            await asyncio.wait({playing.task}, timeout=0.05)
        events = await playing.ended()
    taken = [e for e in events if isinstance(e, ActionTaken)]
    assert [(e.action.kind, e.failure and e.failure.reason) for e in taken] == [
        ("none", "mind_error"),
        ("none", "mind_error"),
    ]
    assert "a bug in a mind" in taken[0].failure.detail


async def test_what_is_adjourned_goes_on_elsewhere_from_where_it_was(store, bus):
    async with Company(store, bus) as company:
        playing = company.begin(started(minds=FAR), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        await company.social.suspend_all(5.0)
        assert await playing.task == STOPPING
        assert len(company.host) == 0
        before = playing.events
        leave = TakeAction(seat=0, turn=1, action=Action(kind="leave"))
        again = company.go_on("e1")
        await until(lambda: ("episode", "e1") in company.host)
        bus.publish(subjects.command(bus.space, "episode", "e1"), encode(leave))
        events = await again.ended()
    assert events[: len(before)] == before
    assert isinstance(events[-1], EpisodeEnded)


async def test_what_is_left_before_its_first_event_is_stored_seats_nobody(store, bus):
    mind = Waiting()
    async with Company(store, bus, mind) as company:
        playing = company.begin(started(), "e1")
        await asyncio.sleep(0)  # the event is under way, and nothing of it is known here yet
        assert ("episode", "e1") in company.host
        await company.social.suspend_all(5.0)
        assert await playing.task == STOPPING
        assert len(company.host) == 0
        assert company.social.seats.tables == {}
        assert mind.asked == []
        assert store.version("episode-e1") == 1
        mind.answer.set()
        await company.go_on("e1").ended()


class Penniless(Speaker):
    """A mind that may ask no more from turn 3 on, until it is paid."""

    paid = False

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """Speak, or raise."""
        if scene.turn == 3 and not self.paid:
            raise BudgetSpent("r1", "tokens", 10, 10)
        return await super().decide(scene, calls)


async def test_a_run_that_is_out_of_budget_waits_and_goes_on_in_the_same_process(store, bus):
    penniless = Penniless()
    async with Company(store, bus, penniless) as company:
        first = started(run="r1", rules=EpisodeRules(turn_cap=5))
        playing = company.begin(first, "e1")
        outcome = await playing.task
        assert outcome.kind == "suspended"
        assert "has spent 10 of its 10 tokens" in outcome.reason
        assert [run for run, _ in company.halts] == ["r1"]
        assert isinstance(playing.events[-1], TurnOpened)
        penniless.paid = True
        events = await company.go_on("e1").ended()
    assert [e.turn for e in events if isinstance(e, ActionTaken)] == [1, 2, 3, 4, 5]


def gone(*, lasting: bool) -> ModelUnavailable:
    return ModelUnavailable(
        "openai/x", "unauthorized", "", status=401, lasting=lasting, remedy="check its key"
    )


class Keyless(Speaker):
    """Knows no answer in the third turn of an episode until its key is set."""

    def __init__(self, *, lasting: bool) -> None:
        self.error: ModelUnavailable | None = gone(lasting=lasting)

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """Speak, or raise."""
        if scene.background.episode == "e1" and scene.turn == 3 and self.error is not None:
            raise self.error
        if scene.background.episode == "e2" and scene.turn == 2:
            await asyncio.sleep(0.05)
        return await super().decide(scene, calls)


async def test_a_model_that_cannot_be_asked_leaves_every_episode_of_its_run_where_it_is(store, bus):
    keyless = Keyless(lasting=True)
    async with Company(store, bus, keyless) as company:
        first = started(run="r1", rules=EpisodeRules(turn_cap=500))
        other = company.begin(started(run="r2", rules=EpisodeRules(turn_cap=2)), "e3")
        playing = [company.begin(first, id_) for id_ in ("e1", "e2")]
        for one in playing:
            outcome = await one.task
            assert outcome.kind == "suspended"
            assert outcome.reason == "openai/x does not take the key, status 401: check its key"
        assert isinstance(playing[0].events[-1], TurnOpened), "no action was made of it"
        assert [run for run, _ in company.halts] == ["r1"]
        await other.ended()


async def test_a_model_that_may_answer_later_puts_its_own_episode_off_alone(store, bus):
    keyless = Keyless(lasting=False)
    async with Company(store, bus, keyless) as company:
        first = started(run="r1", rules=EpisodeRules(turn_cap=4))
        playing = [company.begin(first, id_) for id_ in ("e1", "e2")]
        assert (await playing[0].task).kind == "put_off"
        await playing[1].ended()
        keyless.error = None
        events = await company.go_on("e1").ended()
    assert [e.turn for e in events if isinstance(e, ActionTaken)] == [1, 2, 3, 4]
    assert not any(e.failure for e in events if isinstance(e, ActionTaken))


async def test_of_two_processes_on_one_episode_exactly_one_finishes_it(
    store, bus, connect: Connect
):
    other = await connect()
    async with Company(store, bus) as one, Company(store, other) as two:
        first = started(rules=EpisodeRules(turn_cap=12))
        tasks = [one.begin(first, "e1").task, two.begin(first, "e1").task]
        while not all(task.done() for task in tasks):
            one.social.redeliver()
            two.social.redeliver()
            await asyncio.wait(tasks, timeout=0.05)
        kinds = {task.result().kind for task in tasks}
    events = events_of(store, "episode-e1")
    assert "over" in kinds
    assert kinds <= {"over", "ownership_lost"}
    assert [e.turn for e in events if isinstance(e, ActionTaken)] == list(range(1, 13))
    assert sum(isinstance(e, EpisodeEnded) for e in events) == 1


async def test_who_loses_a_seat_leaves_the_episode_and_asks_nothing_more(store, bus):
    mind = Waiting()
    async with Company(store, bus, mind) as company:
        playing = company.begin(started(), "e1")
        await until(lambda: store.version("agent-e1.0") == 0)
        store.append("agent-e1.0", 0, events_of(store, "agent-e1.0"))  # another goes on with it
        mind.answer.set()
        assert (await playing.task).kind == "ownership_lost"
        assert mind.asked == [(1, 0)]


async def test_giving_up_an_episode_that_has_ended_changes_nothing(store, bus):
    async with Company(store, bus) as company:
        playing = company.begin(started(rules=EpisodeRules(turn_cap=1)), "e1")
        events = await playing.ended()
        factory = company.host._factories["episode"]
        await factory.give_up("e1", "too late", 5)
        assert playing.events == events
        await factory.give_up("e2", "never began", 5)
    assert events_of(store, "episode-e2") == [EpisodeFailed(reason="never began", attempts=5)]


async def test_a_command_for_another_turn_is_refused_over_nats(store, bus, connect):
    stranger = await connect()
    async with Company(store, bus) as company:
        playing = company.begin(started(minds=FAR), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        wrong = TakeAction(seat=0, turn=5, action=Action(kind="leave"))
        subject = subjects.command(bus.space, "episode", "e1")
        reply = decode_reply((await stranger.nats.request(subject, encode(wrong), 60.0)).data)
        assert isinstance(reply, Refused)
        assert store.version("episode-e1") == 1
        playing.task.cancel()


class Forgetful(Company):
    """A company whose episodes cannot read what their seats remember, at first."""

    failures = 2

    def __init__(self, store, bus) -> None:
        super().__init__(store, bus)
        self.social.recollect = self.recollect

    def recollect(self, chain: str, seat: int, index: int) -> str:
        """Fail, or remember."""
        if self.failures:
            self.failures -= 1
            raise RuntimeError("a bug in a memory")
        return f"{chain} {seat} {index}"


async def test_an_episode_whose_beginning_failed_begins_when_its_actor_is_made_anew(store, bus):
    async with Forgetful(store, bus) as company:
        first = started(chain="h1", index=4, rules=EpisodeRules(turn_cap=2))
        events = await company.begin(first).ended()
        assert company.failures == 0
    assert isinstance(events[-1], EpisodeEnded)


async def test_an_evaluation_that_was_taken_over_is_nothing_to_an_episode(store, bus):
    async with Company(store, bus) as company:
        for callback in company.host.on_ownership_lost:
            callback("evaluation", "v1")
        playing = company.begin(started(rules=EpisodeRules(turn_cap=1)))
        await playing.ended()


async def test_an_action_names_the_turn_that_asked_for_it_as_its_cause(store, bus):
    async with Company(store, bus) as company:
        playing = company.begin(started(rules=EpisodeRules(turn_cap=3)))
        await playing.ended()
    opened = ""
    for envelope in store.read(f"episode-{playing.id}"):
        if envelope.tag == "ActionTaken":
            assert envelope.causation == opened
        if envelope.tag == "TurnOpened":
            opened = envelope.event_id
    assert opened


def count_appends(store: EventStore, monkeypatch) -> list[int]:
    """How many events each append from now on has."""
    counts: list[int] = []
    append = store.append_then

    def counted(stream, expected, events, done, **more):
        counts.append(len(events))
        append(stream, expected, events, done, **more)

    monkeypatch.setattr(store, "append_then", counted)
    return counts


async def test_answers_to_one_turn_that_wait_together_are_appended_together(
    store, bus, monkeypatch
):
    rules = EpisodeRules(turn_cap=1, order="simultaneous")
    async with Company(store, bus) as company:
        playing = company.begin(started(minds=(FAR[0], FAR[0]), rules=rules), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        counts = count_appends(store, monkeypatch)
        none = Action(kind="none")
        spoken = Action(kind="speak", text="Yes.")
        for action, seat, turn in ((spoken, 0, 1), (none, 0, 1), (none, 1, 9), (none, 1, 1)):
            company.host.tell("episode", "e1", TakeAction(seat=seat, turn=turn, action=action))
        events = await playing.ended()
    # The second answer of a seat changes nothing, and one to another turn is refused alone.
    taken = [event for event in events if isinstance(event, ActionTaken)]
    assert [(one.seat, one.action) for one in taken] == [(0, spoken), (1, none)]
    assert counts == [3]  # both, and the end


async def test_whoever_waits_for_a_reply_gets_one_of_their_own(store, bus, monkeypatch):
    rules = EpisodeRules(turn_cap=1, order="simultaneous")
    async with Company(store, bus) as company:
        playing = company.begin(started(minds=(FAR[0], FAR[0]), rules=rules), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        counts = count_appends(store, monkeypatch)
        leave = Action(kind="leave")
        company.host.tell("episode", "e1", TakeAction(seat=0, turn=1, action=leave))
        reply = company.host.ask("episode", "e1", TakeAction(seat=1, turn=1, action=leave))
        assert await reply == 4
        await playing.ended()
    assert counts == [1, 2]


async def test_of_answers_in_one_message_each_is_taken_or_refused_for_itself(
    store, bus, monkeypatch
):
    rules = EpisodeRules(turn_cap=1, order="simultaneous")
    async with Company(store, bus) as company:
        playing = company.begin(started(minds=(FAR[0], FAR[0]), rules=rules), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        counts = count_appends(store, monkeypatch)
        none, spoken = Action(kind="none"), Action(kind="speak", text="Yes.")

        def answers(turn: int, seat: int, *given: tuple[int, Action]) -> TakeActions:
            each = [Answer(question=question, action=action) for question, action in given]
            return TakeActions(seat=seat, turn=turn, answers=tuple(each))

        with pytest.raises(CommandRefused) as refused:
            await company.host.ask("episode", "e1", answers(9, 0, (0, none)))
        for message in (answers(1, 0, (7, none), (0, spoken), (0, none)), answers(1, 1, (0, none))):
            company.host.tell("episode", "e1", message)
        events = await playing.ended()
    assert refused.value.code == "not_asked"
    taken = [event for event in events if isinstance(event, ActionTaken)]
    assert [(one.seat, one.action) for one in taken] == [(0, spoken), (1, none)]
    assert counts == [3]
