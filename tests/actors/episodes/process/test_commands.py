"""Whoever writes to an episode is answered in their own form, whether it is played or not."""

from collections import Counter
from typing import Any

import msgspec
import pytest
import structlog
from nats.errors import NoRespondersError

from actors.runtime.bus.nats_bus import Received
from events.base import replace
from events.episode import ActionTaken, EpisodeEnded, SeatTaken
from events.wire import subjects
from store.log.event_store import NEW
from tests.support.builders import act, mind, opened, started
from tests.support.managed_episodes import Company
from tests.support.runs import REMOTE_MINDS, plan, record, state_of
from tests.support.servers.nats_server import until

FAR = (mind("far", kind="remote"), mind("near"))
LOOK = {"type": "Look", "seat": 0}


def speak(turn: int, text: str = "Hello.", **more: Any) -> dict[str, Any]:
    action = {"kind": "speak", "text": text}
    return {"type": "TakeAction", "seat": 0, "turn": turn, "action": action, **more}


class Stranger:
    """A program with a NATS connection of its own, that writes JSON and knows nothing else."""

    def __init__(self, bus: Any) -> None:
        self.bus = bus
        self.seen: list[dict[str, Any]] = []

    async def follow(self, episode: str, more: str = "", *, seat: int = 0) -> None:
        subject = subjects.as_json(subjects.seat(self.bus.space, episode, seat) + more)
        await self.bus.subscribe(subject, self._hear)
        await self.bus.flush()

    def _hear(self, received: Received) -> None:
        self.seen.append(msgspec.json.decode(received.data))

    async def send_as(self, seat: int, episode: str, command: dict[str, Any]) -> dict[str, Any]:
        """By the seat's own subject."""
        subject = f"troupe.{self.bus.space}.seat.{episode}.{seat}.command"
        reply = await self.bus.nats.request(subject, msgspec.json.encode(command), 60.0)
        return msgspec.json.decode(reply.data)

    async def send(self, episode: str, command: dict[str, Any], **headers: str) -> dict[str, Any]:
        subject = f"troupe.{self.bus.space}.episode.{episode}.command"
        data = msgspec.json.encode(command)
        reply = await self.bus.nats.request(subject, data, 60.0, headers=headers or None)
        assert reply.headers == {"Content-Type": "application/json"}
        return msgspec.json.decode(reply.data)


@pytest.fixture
async def stranger(connect) -> Stranger:
    return Stranger(await connect())


async def test_a_remote_seat_is_asked_and_answers_in_json_as_well(store, bus, stranger):
    await stranger.follow("e1")
    async with Company(store, bus) as company:
        playing = company.begin(started(minds=FAR), "e1")
        await until(lambda: stranger.seen)
        asked = stranger.seen[0]
        assert (asked["type"], asked["mind"], asked["turn"]) == ("Observation", "far", 1)
        assert asked["background"]["goal"]
        foreign = {"Content-Type": "text/plain"}
        assert await stranger.send("e1", LOOK, **foreign) == {"type": "Accepted", "version": 1}
        said = {"Content-Type": "application/json"}
        assert await stranger.send("e1", speak(1), **said) == {"type": "Accepted", "version": 3}
        await until(lambda: stranger.seen[-1]["turn"] == 3)
        again = await stranger.send("e1", speak(1, "In other words."))
        assert again == {"type": "Accepted", "version": 5, "before": True}
        playing.task.cancel()


async def test_a_bad_answer_is_told_why_and_asked_again(store, bus, stranger):
    async with Company(store, bus) as company:
        playing = company.begin(started(minds=FAR), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        for wrong in (speak(1, ""), speak(1, action={"kind": 3}), speak(1, "x" * 10_001)):
            refused = await stranger.send("e1", wrong)
            assert (refused["type"], refused["code"]) == ("Refused", "bad_action")
            assert refused["reason"]
            assert refused["questions"] == [{"question": {"type": "social.Act"}}]
        assert (await stranger.send("e1", speak(2)))["code"] == "not_asked"
        another = await stranger.send("e1", speak(1) | {"question": 9})
        assert (another["code"], "no question 9" in another["reason"]) == ("not_asked", True)
        assert (await stranger.send("e1", LOOK | {"seat": 2}))["code"] == "no_such_seat"
        assert (await stranger.send("e1", {"type": "Wish"}))["code"] == "unreadable"
        assert store.version("episode-e1") == 1
        playing.task.cancel()


async def test_of_an_episode_that_is_over_everybody_is_told_so_for_ever(store, bus, stranger):
    events = [started(minds=FAR), opened(1, (0,)), ActionTaken(turn=1, seat=0, action=act("leave"))]
    store.append("episode-e1", NEW, [*events, EpisodeEnded(reason="left", turn=1)])
    async with Company(store, bus):
        await stranger.follow("e1")
        over = {"type": "EpisodeOver", "episode": "e1", "seat": 0, "mind": "far", "reason": "left"}
        assert await stranger.send("e1", LOOK) == over
        await until(lambda: stranger.seen == [over])
        assert (await stranger.send("e1", speak(1)))["before"] is True
        assert (await stranger.send("e1", speak(3)))["code"] == "episode_over"
        assert (await stranger.send("e1", LOOK | {"seat": -1}))["code"] == "no_such_seat"
        assert store.version("episode-e1") == 3


async def test_what_is_unknown_has_not_begun_or_waits_is_told_apart(store, bus, stranger, tmp_path):
    run = record(store, tmp_path, plan(REMOTE_MINDS, tasks=1, pairings='[["far", "far"]]'))
    (planned,) = state_of(store, run).episodes
    store.append("episode-e1", NEW, [started(minds=FAR), opened(1, (0,))])
    with pytest.raises(NoRespondersError):
        await stranger.send("e1", LOOK)
    async with Company(store, bus):
        assert (await stranger.send("e1", LOOK))["code"] == "not_playing"
        assert (await stranger.send("e1", speak(1)))["code"] == "not_playing"
        assert (await stranger.send(planned.id, LOOK))["code"] == "not_playing"
        for unknown in ("e2", "*", "Zoë"):
            assert (await stranger.send(unknown, LOOK))["code"] == "unknown_episode"
    assert store.version("episode-e1") == 1


async def test_of_many_processes_one_answers_wherever_the_episode_is_played(
    store, bus, connect, stranger
):
    answers: list[dict[str, Any]] = []
    async with Company(store, bus), Company(store, await connect()) as second:
        playing = second.begin(started(minds=FAR), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        await stranger.bus.subscribe(
            "answers", lambda received: answers.append(msgspec.json.decode(received.data))
        )
        subject = subjects.command(bus.space, "episode", "e1")
        for _ in range(20):  # whichever of the two hears it
            stranger.bus.publish(subject, msgspec.json.encode(LOOK), "answers")
        await until(lambda: len(answers) == 20)
        await stranger.bus.flush()
        assert answers == [{"type": "Accepted", "version": 1}] * 20
        playing.task.cancel()


async def test_who_looks_while_others_are_asked_is_shown_all_when_asked_next(store, bus, stranger):
    await stranger.follow("e1")
    async with Company(store, bus) as company:
        minds = (FAR[0], replace(FAR[0], name="slow"))
        playing = company.begin(started(minds=minds), "e1")
        await until(lambda: stranger.seen)
        await stranger.send("e1", speak(1))
        assert (await stranger.send("e1", LOOK))["type"] == "Accepted"
        await stranger.send("e1", speak(2) | {"seat": 1})
        await until(lambda: len(stranger.seen) == 2)
        assert stranger.seen[1]["background"]
        assert [entry["number"] for entry in stranger.seen[1]["news"]] == [2, 4]
        playing.task.cancel()


async def test_what_a_remote_seat_notices_is_told_in_json_as_well(store, bus, stranger):
    await stranger.follow("e1", ".news")
    async with Company(store, bus) as company:
        minds = (FAR[0], replace(FAR[0], name="slow"), FAR[0])
        playing = company.begin(started(minds=minds[:2]), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        await stranger.send("e1", speak(1))
        await until(lambda: stranger.seen)
        assert (stranger.seen[0]["type"], stranger.seen[0]["mind"]) == ("News", "far")
        playing.task.cancel()


async def test_a_seat_speaks_for_itself_on_its_own_subject_and_for_nobody_else(
    store, bus, stranger
):
    async with Company(store, bus) as company:
        playing = company.begin(started(minds=(FAR[0], replace(FAR[0], name="slow"))), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        me = {"seat": 0, "participant": "p-me"}
        for wrong in (
            speak(1) | {"seat": 1},
            LOOK | {"seat": 1},
            {"type": "StopEpisode"},
            {"type": "PauseEpisode", "by": "r"},
            {"type": "TakeSeat", **me, "by": "r"},
            {"type": "ReleaseSeat", **me, "reason": "removed"},
            {"type": "ReleaseSeat", **me, "mind": {"name": "x", "kind": "rehearsal"}},
        ):
            refused = await stranger.send_as(0, "e1", wrong)
            assert (refused["type"], refused["code"]) == ("Refused", "not_yours")
        assert (await stranger.send_as(0, "e1", {"type": "Wish"}))["code"] == "unreadable"
        assert (await stranger.send_as(0, "e2", LOOK))["code"] == "unknown_episode"
        assert store.version("episode-e1") == 1
        assert (await stranger.send_as(0, "e1", LOOK))["type"] == "Accepted"
        assert (await stranger.send_as(0, "e1", {"type": "TakeSeat", **me}))["version"] == 2
        assert (await stranger.send_as(0, "e1", {"type": "ReleaseSeat", **me}))["version"] == 3
        assert (await stranger.send_as(0, "e1", speak(1)))["type"] == "Accepted"
        playing.task.cancel()


async def test_what_nobody_plays_is_not_paused_and_says_why(store, bus, stranger):
    taken = SeatTaken(seat=0, participant="p-me", mind=mind("person", kind="person"))
    store.append("episode-e1", NEW, [started(minds=FAR), opened(1, (0,)), taken])
    take = {"type": "TakeSeat", "seat": 0, "participant": "p-me"}
    async with Company(store, bus):
        for wish in ({"type": "PauseEpisode"}, take | {"seat": 1}):
            refused = await stranger.send("e1", wish)
            assert (refused["code"], "nobody plays" in refused["reason"]) == ("not_playing", True)
        assert (await stranger.send("e1", take))["before"] is True
        other = await stranger.send("e1", take | {"participant": "p-you"})
        assert other["code"] == "seat_taken"
        assert store.version("episode-e1") == 2


async def test_what_is_larger_than_a_command_is_refused_and_changes_nothing(store, bus, stranger):
    async with Company(store, bus) as company:
        playing = company.begin(started(minds=FAR), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        failure = {"reason": "timeout", "detail": "", "raw": ""}
        too_large = [
            speak(1, to=[1] * 1_000_000),
            speak(1, failure=failure | {"raw": "x" * 2_000_000}),
            speak(1, failure=failure | {"raw": "x" * 16_001}),
            speak(1, failure=failure | {"detail": "x" * 2_001}),
            {"type": "StopEpisode", "detail": "x" * 2_001},
            {"type": "y" * 100_000},
            LOOK | {"seat": 10**300},
        ]
        # Nobody plays the second one: it is answered all the same.
        for wrong in too_large:
            for episode in ("e1", "e2"):
                refused = await stranger.send(episode, wrong)
                assert refused["code"] == "unreadable"
                assert len(refused["reason"]) < 300
        hearers = await stranger.send(
            "e1", speak(1, action=speak(1)["action"] | {"to": [1] * 1001})
        )
        assert (hearers["code"], "1,000 seats" in hearers["reason"]) == ("bad_action", True)
        assert store.version("episode-e1") == 1
        playing.task.cancel()


async def test_news_that_do_not_fit_into_a_message_come_when_they_are_asked_for(
    store, bus, stranger
):
    said = [
        event
        for turn in range(1, 7)
        for event in (
            opened(turn, (turn % 2,)),
            # As an earlier version took them.
            ActionTaken(turn=turn, seat=turn % 2, action=act("speak", f"{turn}" * 2_000_000)),
        )
    ]
    store.append("episode-e1", NEW, [started(minds=(FAR[1], FAR[0])), *said, opened(7, (1,))])
    await stranger.follow("e1", seat=1)
    await stranger.follow("e1", ".news", seat=1)
    async with Company(store, bus) as company:
        playing = company.go_on("e1")
        await until(lambda: stranger.seen)
        asked = stranger.seen[0]
        assert (asked["turn"], asked["left_out"]) == (7, 2)
        assert [one["text"][0] for one in asked["news"]] == ["3", "4", "5", "6"]
        before = asked["news"][0]["number"]
        await stranger.send("e1", LOOK | {"seat": 1, "before": before})
        await until(lambda: stranger.seen[-1]["type"] == "News")
        news = stranger.seen[-1]
        assert ([one["text"][0] for one in news["news"]], "left_out" in news) == (
            ["1", "2"],
            False,
        )
        playing.task.cancel()


async def test_refused_messages_are_counted_and_said_once(store, bus, stranger, monkeypatch):
    async with Company(store, bus) as company:
        playing = company.begin(started(minds=FAR), "e1")
        await until(lambda: store.version("episode-e1") >= 1)
        subject = subjects.command(bus.space, "episode", "e1")
        with structlog.testing.capture_logs() as logs:
            for seldom_said in (b"rubbish", msgspec.json.encode(LOOK)):
                for _ in range(3000):
                    stranger.bus.publish(subject, seldom_said, "nobody.listens")
            await stranger.bus.flush()
            assert (await stranger.send("e1", LOOK))["type"] in ("Accepted", "Refused")
        assert Counter(line["event"] for line in logs).most_common(1)[0][1] == 1
        playing.task.cancel()
