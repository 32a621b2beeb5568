"""What the seats of an episode are asked and told, by what happens."""

import asyncio
from collections.abc import Coroutine
from time import monotonic
from typing import Any

import msgspec
import pytest

from actors.episodes.delivery import seat_delivery
from actors.episodes.delivery.seat_delivery import AT_ONCE, SeatDelivery
from actors.episodes.delivery.wire import wire_of
from actors.episodes.rules.state import INITIAL, EpisodeState, evolve
from actors.runtime.errors import CommandRefused
from events.base import Event
from events.episode import EpisodeEnded, SeatReleased
from events.wire.messages import EpisodeOver, Look, News, Observation
from tests.support.builders import character, mind, opened, scenario, started, taken

FAR, NEAR = mind("far", kind="remote"), mind("near")


class SentMessages:
    """A bus that keeps what is sent."""

    space, max_payload = "test", 1_000_000

    def __init__(self) -> None:
        self.sent: list[Observation | News | EpisodeOver] = []
        self.flushes = 0

    def send(self, head: bytes, data: bytes) -> None:
        if b".json" not in head:
            self.sent.append(wire_of("social").decode_for_remote(data))

    async def flush(self) -> None:
        self.flushes += 1
        await asyncio.sleep(0)

    def taken(self) -> list[Observation | News | EpisodeOver]:
        """What was sent since the last call."""
        taken, self.sent = self.sent, []
        return taken


class Seats:
    """The delivery of one episode, and the state that follows from what happens."""

    def __init__(self, *events: Event) -> None:
        self.bus = SentMessages()
        self.delivery = SeatDelivery(self.bus, "e1")  # type: ignore[arg-type]
        self.state: EpisodeState = INITIAL
        self.tasks: list[asyncio.Task[None]] = []
        self.happen(*events)

    def happen(self, *events: Event) -> list[int]:
        """Who is to be informed of events that are appended."""
        first = self.state.number + 1
        for event in events:
            self.state = evolve(self.state, event)
        appended = tuple(enumerate(events, first))
        return sorted(self.delivery.follow(self.state, appended, "r1", monotonic()))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.ensure_future(work))

    def ask(self, *seats: int, **how: Any) -> list[Observation]:
        self.delivery.ask(self.spawn, seats, **how)
        return self.bus.taken()


def two(*minds: Any) -> Seats:
    return Seats(started(minds=minds or (NEAR, NEAR)), opened(1, (0,)))


def test_who_is_asked_first_is_shown_everything_and_later_what_is_new():
    seats = two()
    (first,) = seats.ask(0)
    assert first.background is not None
    assert [posed.id for posed in first.questions] == [0]
    seats.happen(taken(1, 0, "Hello."), opened(2, (1,)))
    assert seats.ask(1)[0].background is not None
    seats.happen(taken(2, 1, "Hm."), opened(3, (0,)))
    (later,) = seats.ask(0)
    assert later.background is None
    assert [line.text for line in later.news] == ["Hello.", "Hm."]
    (again,) = seats.ask(0, whole=True)
    assert again.background is not None


def test_memories_are_part_of_what_is_shown_first():
    seats = two()
    seats.delivery.memories = ("We met at the fair.", "")
    (first,) = seats.ask(0)
    assert "We met at the fair." in str(msgspec.to_builtins(first.background))


def test_seats_outside_that_are_not_asked_are_informed():
    seats = two(FAR, NEAR)
    assert seats.delivery.outside == {0}
    assert seats.happen(taken(1, 0, "Hello."), opened(2, (1,))) == [0]
    seats.delivery.inform([0])
    (news,) = seats.bus.taken()
    assert isinstance(news, News)
    assert [line.text for line in news.news] == ["Hello."]
    assert seats.happen(taken(2, 1, "Hm."), opened(3, (0,))) == []


def test_what_is_not_answered_is_repeated_but_not_at_once():
    seats = two(FAR, NEAR)
    (first,) = seats.ask(0)
    seats.delivery.ask_again(seats.spawn, 60.0)
    assert seats.bus.taken() == []
    seats.delivery.ask_again(seats.spawn, 0.0)
    assert seats.bus.taken() == [first]


def test_who_takes_a_seat_is_asked_anew():
    seats = two()
    seats.ask(0)
    seats.happen(SeatReleased(seat=0, participant="p", mind=FAR, reason="left"))
    assert seats.delivery.outside == {0}
    seats.delivery.observe(0, now=5.0)
    seats.delivery.ask_again(seats.spawn, monotonic() - 6.0)
    assert len(seats.bus.taken()) == 2


def test_a_seat_that_looks_is_asked_now_or_shown_everything_when_it_is():
    seats = two(NEAR, FAR)
    assert seats.delivery.look(Look(seat=0)) is None
    assert [type(one) for one in seats.bus.taken()] == [Observation]
    seats.happen(taken(1, 0, "Hello."), opened(2, (1,)))
    seats.ask(1)
    seats.happen(taken(2, 1, "Hm."), opened(3, (0,)))
    assert seats.delivery.look(Look(seat=1)) is None
    assert seats.bus.taken() == []
    seats.happen(taken(3, 0, "So?"), opened(4, (1,)))
    (whole,) = seats.ask(1)
    assert whole.background is not None
    assert [line.text for line in whole.news] == ["Hello.", "Hm.", "So?"]
    assert seats.delivery.look(Look(seat=1, before=whole.news[1].number)) is None
    (past,) = seats.bus.taken()
    assert [line.text for line in past.news] == ["Hello."]


def test_who_cannot_look_is_told_why():
    with pytest.raises(CommandRefused, match="has not started"):
        SeatDelivery(SentMessages(), "e1").look(Look(seat=0))  # type: ignore[arg-type]
    with pytest.raises(CommandRefused, match="no seat 2"):
        two().delivery.look(Look(seat=2))


def test_all_are_told_the_end_and_so_is_who_looks_later():
    seats = two()
    seats.happen(EpisodeEnded(reason="left", turn=1))
    seats.delivery.dismiss()
    over = [EpisodeOver(episode="e1", seat=seat, mind="near", reason="left") for seat in (0, 1)]
    assert seats.bus.taken() == over
    assert seats.delivery.look(Look(seat=1)) == over[1]


def crowd(size: int) -> Seats:
    cast = tuple(character(f"Ada{seat} Reyes") for seat in range(size))
    everybody = tuple(range(size))
    place = scenario(goals=("Say something.",) * size)
    first = started(cast=cast, scenario=place, minds=(NEAR,) * size, relationships=())
    return Seats(first, opened(1, everybody))


async def test_of_many_seats_some_are_asked_at_once_and_the_others_as_nats_takes_it():
    size = 2 * AT_ONCE + 10
    seats = crowd(size)
    assert len(seats.ask(*range(size))) == AT_ONCE
    seats.delivery.ask_again(seats.spawn, 0.0)
    assert [one.seat for one in seats.bus.taken()] == list(range(AT_ONCE))
    seats.happen(taken(1, AT_ONCE, "Hello."))
    (serving,) = seats.tasks
    await serving
    # Who has answered meanwhile is not asked.
    assert [one.seat for one in seats.bus.taken()] == list(range(AT_ONCE + 1, size))
    assert seats.bus.flushes == 2


async def test_those_of_a_turn_that_is_over_are_not_asked(monkeypatch):
    monkeypatch.setattr(seat_delivery, "AT_ONCE", 1)
    seats = crowd(3)
    assert len(seats.ask(0, 1, 2)) == 1
    seats.happen(*(taken(1, seat, "Hello.") for seat in range(3)), opened(2, (0,)))
    await seats.tasks[0]
    assert seats.bus.taken() == []
    assert len(seats.ask(0, 1)) == 1
    assert len(seats.tasks) == 2
    await seats.tasks[1]
