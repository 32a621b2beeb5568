"""People at the seats of episodes under way: they take over, are late, and hand back."""

import asyncio
from typing import Any

from actors.episodes.mind import Decision, Scene
from actors.minds.model import ModelMind
from actors.models.recording.call_log import CallRecorder
from actors.social.actions import Action
from actors.social.environment import GAME
from actors.social.setup import EpisodeRules
from events.base import replace
from events.episode import (
    ActionProposed,
    ActionTaken,
    EpisodeEnded,
    EpisodeStepped,
    PeopleRules,
    SeatReleased,
    SeatTaken,
    TurnOpened,
)
from events.minds import MindSpec, ModelSpec
from events.serialization.codec import decode_reply, encode, event_of
from events.wire import subjects
from events.wire.messages import (
    Accepted,
    EditAction,
    GoOn,
    Look,
    PauseEpisode,
    ReleaseSeat,
    StepEpisode,
    TakeAction,
    TakeSeat,
)
from store.log.event_store import NEW
from store.participants.participant_keys import keys_of
from tests.actors.episodes.test_actor import Heard
from tests.evaluators.scripted import Scripted, caller_of
from tests.support.builders import mind, opened, started, taken
from tests.support.managed_episodes import Company, Playing
from tests.support.runs import events_of
from tests.support.servers.nats_server import until

ANN = "p-ann"
PERSON = MindSpec(name="person", kind="person")


class Gated:
    """A mind that answers when it is let."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.open = asyncio.Event()

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """Wait, then speak."""
        self.asked.append(scene.turn)
        await self.open.wait()
        return Decision(action=Action(kind="speak", text=f"Turn {scene.turn}, by the mind."))


def say(text: str) -> Action:
    return Action(kind="speak", text=text)


class Room:
    """Speaks to one episode as a gateway does."""

    def __init__(self, bus: Any, episode: str = "e1") -> None:
        self.bus, self.episode = bus, episode

    async def send(self, command: Any) -> Any:
        subject = subjects.command(self.bus.space, "episode", self.episode)
        answer = await self.bus.nats.request(subject, encode(command), 60.0)
        return decode_reply(answer.data)


def begun(**more: Any) -> Any:
    rules = EpisodeRules(turn_cap=4, stale_turns=0)
    minds = more.pop("minds", (mind("one"), mind("two")))
    return replace(started(rules=rules, minds=minds), **more)


def of(playing: Playing, kind: type) -> list[Any]:
    return [event for event in playing.events if isinstance(event, kind)]


async def test_a_person_takes_over_from_a_mind_in_the_middle_and_hands_back(store, bus, connect):
    gated, room = Gated(), Room(await connect())
    async with Company(store, bus, gated) as company:
        heard = Heard()
        await room.bus.subscribe(subjects.seat(bus.space, "e1", 0), heard)
        await room.bus.flush()
        playing = company.begin(begun(), "e1")
        await until(lambda: gated.asked == [1])
        assert isinstance(await room.send(TakeSeat(seat=0, participant=ANN)), Accepted)
        assert (await room.send(TakeSeat(seat=0, participant=ANN))).before
        await until(lambda: len(heard.shown) == 2)
        assert heard.shown[1].background is not None
        assert [one.id for one in heard.shown[1].questions] == [0]
        refused = await room.send(TakeSeat(seat=0, participant="p-bob"))
        assert (refused.code, of(playing, ActionTaken)) == ("seat_taken", [])
        mine = TakeAction(seat=0, turn=1, action=say("It is me."), participant=ANN)
        late = replace(mine, participant="", action=say("Too late."))
        assert (await room.send(late)).code == "not_yours"
        assert isinstance(await room.send(mine), Accepted)
        assert (await room.send(mine)).before
        gated.open.set()  # what the first was asked is answered, and nobody's answer
        await until(lambda: len(of(playing, TurnOpened)) == 3)
        assert (await room.send(ReleaseSeat(seat=0, participant="p-bob"))).code == "not_yours"
        assert isinstance(await room.send(ReleaseSeat(seat=0, participant=ANN)), Accepted)
        events = await playing.ended()
    assert [(e.seat, e.action.text) for e in events if isinstance(e, ActionTaken)] == [
        (0, "It is me."),
        (1, "Turn 2, by the mind."),
        (0, "Turn 3, by the mind."),
        (1, "Turn 4, by the mind."),
    ]
    (released,) = [e for e in events if isinstance(e, SeatReleased)]
    assert (released.mind.name, released.reason) == ("one", "left")


async def test_a_mind_that_has_its_seat_back_before_it_has_answered_is_asked_once_more(
    store, bus, connect
):
    gated, room = Gated(), Room(await connect())
    async with Company(store, bus, gated) as company:
        playing = company.begin(begun(), "e1")
        await until(lambda: gated.asked == [1])
        await room.send(TakeSeat(seat=0, participant=ANN))
        await room.send(ReleaseSeat(seat=0, participant=ANN))
        assert of(playing, ActionTaken) == []
        gated.open.set()
        events = await playing.ended()
    assert [e.turn for e in events if isinstance(e, ActionTaken)] == [1, 2, 3, 4]


async def test_a_late_answer_of_one_whose_seat_went_back_is_refused(store, bus, connect):
    gated, room = Gated(), Room(await connect())
    async with Company(store, bus, gated) as company:
        playing = company.begin(begun(minds=(PERSON, mind("two"))), "e1")
        await until(lambda: of(playing, TurnOpened))
        free = TakeAction(seat=0, turn=1, action=say("Anybody?"))
        assert (await room.send(free)).code == "not_yours"
        await room.send(TakeSeat(seat=0, participant=ANN))
        release = ReleaseSeat(seat=0, participant=ANN, mind=mind("other"), reason="removed", by="r")
        model = ModelSpec(name="openai/x", adapter="direct", base_url="http://10.9.8.7/v1")
        stranger = MindSpec(name="thief", kind="model", model=model)
        refused = await room.send(replace(release, mind=stranger))
        assert "would ask 'openai/x', which this episode does not name" in refused.reason
        await room.send(release)
        assert (await room.send(replace(free, participant=ANN))).code == "not_yours"
        gated.open.set()
        events = await playing.ended()
    assert "Anybody?" not in str(events)


async def played_late(store: Any, bus: Any, room: Room, people: PeopleRules) -> Any:
    """An episode where somebody sits down in the first seat and says nothing."""
    gated = Gated()
    gated.open.set()
    async with Company(store, bus, gated) as company:
        playing = company.begin(begun(minds=(PERSON, mind("two")), people=people), "e1")
        await until(lambda: of(playing, TurnOpened))
        await room.send(TakeSeat(seat=0, participant=ANN))
        return await playing.ended()


async def test_where_nothing_follows_a_late_person_does_nothing_and_keeps_the_seat(
    store, bus, connect
):
    people = PeopleRules(deadline_s=0.05)
    events = await played_late(store, bus, Room(await connect()), people)
    late = [e for e in events if isinstance(e, ActionTaken) and e.seat == 0]
    assert [(e.action.kind, e.failure.reason) for e in late] == [("none", "timeout")] * 2
    assert not [e for e in events if isinstance(e, SeatReleased)]
    assert events[-1].reason == "turn_cap"


async def test_where_a_takeover_follows_the_substitute_answers_for_a_late_person(
    store, bus, connect
):
    people = PeopleRules(deadline_s=0.05, late="takeover", substitute=mind("stand-in"))
    events = await played_late(store, bus, Room(await connect()), people)
    (released,) = [e for e in events if isinstance(e, SeatReleased)]
    assert (released.mind.name, released.reason) == ("stand-in", "late")
    taken = [e.action.text for e in events if isinstance(e, ActionTaken) and e.seat == 0]
    assert taken == ["Turn 1, by the mind.", "Turn 3, by the mind."]


async def test_where_the_end_follows_the_episode_is_abandoned(store, bus, connect):
    people = PeopleRules(deadline_s=0.05, late="end")
    events = await played_late(store, bus, Room(await connect()), people)
    assert isinstance(events[-1], EpisodeEnded)
    assert events[-1].reason == "abandoned"


async def test_a_persons_time_runs_from_when_they_are_shown_what_the_mind_did(store, bus, connect):
    people = PeopleRules(deadline_s=0.05, reply_delay_s=0.3)
    await played_late(store, bus, Room(await connect()), people)
    said, late = [one for one in store.read("episode-e1") if one.tag == "ActionTaken"][1:3]
    assert late.recorded_at >= said.recorded_at + 350_000


async def test_it_does_so_where_another_process_goes_on(store, bus):
    people = PeopleRules(deadline_s=0.05, reply_delay_s=0.3)
    sat = SeatTaken(seat=0, participant=ANN, mind=PERSON)
    first = begun(minds=(PERSON, mind("two")), people=people)
    past = [first, sat, opened(1, [0]), taken(1, 0, "You?"), opened(2, [1]), taken(2, 1, "I.")]
    store.append("episode-e1", NEW, [*past, opened(3, [0])])
    gated = Gated()
    gated.open.set()
    async with Company(store, bus, gated) as company:
        await company.go_on("e1").ended()
    _, said, late, *_ = (one for one in store.read("episode-e1") if one.tag == "ActionTaken")
    assert late.recorded_at >= said.recorded_at + 350_000


async def test_a_paused_episode_proposes_steps_and_goes_on(store, bus, connect):
    gated, room = Gated(), Room(await connect())
    async with Company(store, bus, gated) as company:
        playing = company.begin(begun(), "e1")
        await until(lambda: gated.asked == [1])
        assert (await room.send(StepEpisode(by="r"))).code == "not_paused"
        await room.send(PauseEpisode(by="r"))
        gated.open.set()
        await until(lambda: of(playing, ActionProposed))
        assert of(playing, ActionTaken) == []
        await room.send(StepEpisode(by="r"))
        await until(lambda: len(of(playing, ActionProposed)) == 2)
        assert [e.turn for e in of(playing, ActionTaken)] == [1]
        edit = EditAction(seat=1, turn=2, action=say("As I like it."), by="r")
        assert isinstance(await room.send(edit), Accepted)
        assert (await room.send(edit)).code == "not_asked"
        assert len(of(playing, TurnOpened)) == 2
        await room.send(GoOn(by="r"))
        events = await playing.ended()
    assert len([e for e in events if isinstance(e, EpisodeStepped)]) == 1
    taken = [e for e in events if isinstance(e, ActionTaken)]
    assert [(e.turn, e.by) for e in taken] == [(1, ""), (2, "r"), (3, ""), (4, "")]
    assert taken[1].action.text == "As I like it."


async def test_what_a_person_has_time_for_is_kept_where_another_process_goes_on(
    store, bus, connect
):
    room, gated = Room(await connect()), Gated()
    people = PeopleRules(deadline_s=1.0, late="end")
    async with Company(store, bus, gated) as company:
        playing = company.begin(begun(minds=(PERSON, mind("two")), people=people), "e1")
        await until(lambda: of(playing, TurnOpened))
        await room.send(TakeSeat(seat=0, participant=ANN))
        await company.social.suspend_all(1.0)
    async with Company(store, bus, gated) as company:
        events = await company.go_on("e1").ended()
    assert events[-1].reason == "abandoned"
    assert len([e for e in events if isinstance(e, SeatTaken)]) == 1


async def test_looking_at_a_seat_shows_a_person_what_was_shown_to_the_mind(store, bus, connect):
    gated, room = Gated(), Room(await connect())
    gated.open.set()
    async with Company(store, bus, gated) as company:
        heard = Heard()
        await room.bus.subscribe(subjects.seat(bus.space, "e1", 1), heard)
        await room.bus.flush()
        playing = company.begin(begun(minds=(mind("one"), PERSON)), "e1")
        await until(lambda: heard.shown)
        await room.send(TakeSeat(seat=1, participant=ANN))
        await until(lambda: len(heard.shown) == 2)
        await room.send(Look(seat=1))
        await until(lambda: len(heard.shown) == 3)
        assert heard.shown[1] == heard.shown[2]
        assert [line.text for line in heard.shown[1].news] == ["Turn 1, by the mind."]
        playing.task.cancel()


async def test_a_model_that_is_displaced_while_it_thinks_is_recorded_and_has_its_seat_back(
    store, bus, connect
):
    room, gate, thinking = Room(await connect()), asyncio.Event(), []

    class Slow(Scripted):
        async def complete(self, request: Any) -> Any:
            thinking.append(request)
            await gate.wait()
            return await super().complete(request)

    caller = caller_of(Slow(['{"kind": "speak", "text": "Well."}'] * 5))

    def make(spec: MindSpec, *_: Any) -> Any:
        return ModelMind(ModelSpec(name="openai/x"), GAME, caller)

    async with Company(store, bus) as company:
        company.social.make_mind = make
        playing = company.begin(begun(), "e1")
        await until(lambda: thinking)
        await room.send(TakeSeat(seat=0, participant=ANN))
        gate.set()
        await until(lambda: len(events_of(store, "agent-e1.0")) == 2)
        assert of(playing, ActionTaken) == []
        await room.send(ReleaseSeat(seat=0, participant=ANN))
        events = await playing.ended()
    calls = [type(event).__name__ for event in events_of(store, "agent-e1.0")]
    assert calls == ["ModelAsked", "ModelAnswered"] * 2, "what was paid for is not asked again"
    assert [e.turn for e in events if isinstance(e, ActionTaken)] == [1, 2, 3, 4]
    await caller.close()


async def test_who_is_to_be_sealed_sits_and_speaks_only_where_their_key_is_found(
    store, bus, connect
):
    gated, room = Gated(), Room(await connect())
    async with Company(store, bus, gated) as company:
        playing = company.begin(begun(minds=(PERSON, mind("two"))), "e1")
        await until(lambda: of(playing, TurnOpened))
        sits = TakeSeat(seat=0, participant="p-sealed", sealed=True)
        refused = await room.send(sits)
        assert "the same TROUPE_KEYS_URL" in refused.reason
        assert of(playing, SeatTaken) == []
        keys_of(store.url).make("p-sealed")
        assert isinstance(await room.send(sits), Accepted)
        says = TakeAction(seat=0, turn=1, action=say("I keep bees."), participant="p-sealed")
        assert isinstance(await room.send(says), Accepted)
        gated.open.set()
        await until(lambda: of(playing, ActionTaken))
    (spoken, *_) = [one for one in store.read("episode-e1") if one.tag == "ActionTaken"]
    assert b"bees" not in bytes(spoken.payload)


async def test_where_a_group_was_seated_and_no_key_is_found_nothing_is_stored_in_clear(
    store, bus, connect
):
    gated, room = Gated(), Room(await connect())
    sat = SeatTaken(seat=0, participant="p-lost", mind=PERSON, by="study", sealed=True)
    store.append("episode-e1", NEW, [begun(minds=(PERSON, mind("two"))), sat])
    async with Company(store, bus, gated) as company:
        playing = company.go_on("e1")
        await until(lambda: of(playing, TurnOpened))
        before = store.version("episode-e1")
        says = TakeAction(seat=0, turn=1, action=say("I keep bees."), participant="p-lost")
        refused = await room.send(says)
        assert "Nothing was stored" in refused.reason
        assert store.version("episode-e1") == before
        # The database of keys is there again: nothing was lost, and the same is taken.
        keys_of(store.url).make("p-lost")
        assert isinstance(await room.send(says), Accepted)
    (spoken, *_) = [one for one in store.read("episode-e1") if one.tag == "ActionTaken"]
    assert b"bees" not in bytes(spoken.payload)
    assert event_of(spoken).action.text == "I keep bees."
