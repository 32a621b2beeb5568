"""An alarm tells the actor of whose time is up, and of nobody else."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from actors.episodes.delivery.deadline_alarm import DeadlineAlarm
from actors.episodes.delivery.deadlines import now_us
from actors.episodes.rules.seats import Late
from actors.episodes.rules.state import INITIAL, EpisodeState, evolve
from events.base import Envelope, Event
from events.episode import PeopleRules, SeatTaken
from events.minds import MindSpec
from tests.support.builders import numbered, opened, started, taken
from tests.support.servers.nats_server import until

SAT = SeatTaken(seat=0, participant="p-ann", mind=MindSpec(name="person", kind="person"))
LATE = Late(seat=0, turn=1, participant="p-ann")


class Actor:
    """As much of an actor's reference as an alarm needs."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.alive = True

    def is_alive(self) -> bool:
        return self.alive

    def tell(self, message: Any) -> None:
        self.told.append(message)


class Episode:
    """An episode in which a person is asked something now."""

    def __init__(self, deadline_s: float) -> None:
        self.actor = Actor()
        self.alarm = DeadlineAlarm(self.actor)  # type: ignore[arg-type]
        self.state: EpisodeState = INITIAL
        self.append(started(people=PeopleRules(deadline_s=deadline_s)), SAT, opened(1, (0,)))

    def append(self, *events: Event) -> None:
        """Tell the alarm of events that are stored just now."""
        envelopes: list[Envelope] = []
        for one in numbered(events):
            self.state = evolve(self.state, one.event)
            envelopes.append(replace(one.envelope, recorded_at=now_us()))
        first = self.state.number + 1 - len(events)
        self.alarm.follow(self.state, tuple(enumerate(events, first)), envelopes)


async def test_it_rings_when_time_is_up():
    episode = Episode(deadline_s=0.02)
    assert episode.alarm.is_set
    assert not episode.alarm.is_due(episode.state, 0)
    await until(lambda: episode.actor.told)
    assert episode.actor.told == [LATE]
    assert episode.alarm.is_due(episode.state, 0)


async def test_an_answer_in_time_stops_it():
    episode = Episode(deadline_s=0.02)
    episode.append(taken(1, 0, "Here."), opened(2, (1,)))
    assert not episode.alarm.is_set
    await asyncio.sleep(0.05)
    assert episode.actor.told == []


async def test_it_can_be_asked_to_ring_for_those_who_are_late():
    episode = Episode(deadline_s=0.001)
    episode.alarm.cancel()
    episode.alarm.ring(INITIAL)
    assert episode.actor.told == []
    await until(lambda: episode.alarm.is_due(episode.state, 0))
    episode.alarm.ring(episode.state)
    assert episode.actor.told == [LATE]


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_stopped_actor_is_told_nothing(when: str):
    episode = Episode(deadline_s=0.01)
    if when == "before":
        episode.alarm.cancel()
    episode.actor.alive = False
    if when == "before":
        episode.alarm.set(episode.state)
        assert not episode.alarm.is_set
    await asyncio.sleep(0.03)
    assert episode.actor.told == []
