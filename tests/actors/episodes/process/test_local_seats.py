"""Minds of a process sit down, change places and get up again."""

from typing import Any

import pytest

from actors.episodes.agent import NewMind
from actors.episodes.process.local_seats import LocalSeats
from actors.episodes.rules.state import INITIAL, EpisodeState, evolve
from events.episode import SeatReleased, SeatTaken
from events.minds import MindSpec
from events.wire.messages import EpisodeOver
from tests.support.builders import mind, started

FAR, NEAR, OTHER = mind("far", kind="remote"), mind("near"), mind("other")
PERSON = MindSpec(name="person", kind="person")


class AgentsHere:
    """A host in which the agents are that a test names, and what they are told."""

    def __init__(self) -> None:
        self.here: set[tuple[str, str]] = set()
        self.told: list[Any] = []
        self.busy = False

    def __contains__(self, address: tuple[str, str]) -> bool:
        return address in self.here

    def tell(self, kind: str, id_: str, message: Any) -> None:
        self.told.append((id_, message))

    def passivate(self, kind: str, id_: str) -> bool:
        return not self.busy


class ListeningAgents:
    """A bridge that knows which agents hear what they are sent."""

    def __init__(self) -> None:
        self.listening: set[str] = set()

    def listen_now(self, kind: str, id_: str, **_: Any) -> None:
        self.listening.add(id_)

    def unlisten(self, kind: str, id_: str) -> None:
        self.listening.discard(id_)


class Here:
    """Local seats, with an episode of two seats."""

    def __init__(self, *minds: MindSpec) -> None:
        self.host, self.bridge = AgentsHere(), ListeningAgents()
        self.seats = LocalSeats(self.host, self.bridge, "test", lambda seated: seated.mind.name)  # type: ignore[arg-type, return-value]
        self.state: EpisodeState = evolve(INITIAL, started(minds=minds))
        self.seats.seat_all("e1", "r1", self.state, (), 5.0)

    def change(self, event: Any) -> tuple[str, str] | None:
        self.state = evolve(self.state, event)
        return self.seats.reseat("e1", "r1", self.state, event.seat, ())


def test_local_minds_take_their_seats_once():
    here = Here(NEAR, FAR)
    assert here.bridge.listening == {"e1.0"}
    assert here.seats.agents("e1") == [("agent", "e1.0")]
    found = here.seats.find("e1.0")
    assert found is not None
    assert (found.mind, found.seats, found.begun_at, found.seat.run) == (NEAR, 2, 5.0, "r1")
    assert here.seats.find("e1.1") is here.seats.find("e2.0") is None
    here.seats.seat_all("e1", "r1", here.state, (), None)
    assert here.seats.find("e1.0") is found


def test_a_mind_whose_seat_a_person_takes_is_dismissed_and_comes_back():
    here = Here(NEAR, FAR)
    here.host.here.add(("agent", "e1.0"))
    dismissed = here.change(SeatTaken(seat=0, participant="p", mind=PERSON))
    assert dismissed == ("agent", "e1.0")
    assert here.host.told == [("e1.0", EpisodeOver(episode="e1", seat=0, reason="over"))]
    assert here.bridge.listening == set()
    # The agent still waits for an answer: it gets the mind that sits there now.
    assert here.change(SeatReleased(seat=0, participant="p", mind=OTHER, reason="left")) is None
    assert here.host.told[1:] == [("e1.0", NewMind("other"))]  # type: ignore[arg-type]
    assert here.bridge.listening == {"e1.0"}


def test_in_an_episode_that_has_no_table_nobody_sits_down():
    here = Here(NEAR, FAR)
    here.seats.clear("e1")
    assert "e1" not in here.seats
    assert here.change(SeatReleased(seat=0, participant="p", mind=OTHER, reason="left")) is None
    assert here.bridge.listening == set()


@pytest.mark.parametrize("running", [True, False])
def test_who_gets_up_at_the_end_is_told_where_they_are_here(running: bool):
    here = Here(NEAR, OTHER)
    if running:
        here.host.here.add(("agent", "e1.1"))
    here.seats.clear("e1")
    here.seats.clear("e1")
    assert [id_ for id_, _ in here.host.told] == ["e1.1"] * running
    assert here.bridge.listening == set()


def test_agents_leave_memory_together_or_stay():
    here = Here(NEAR, FAR)
    here.host.busy = True
    assert here.seats.passivate("e1") == ""
    assert "e1" in here.seats
    here.host.busy = False
    assert here.seats.passivate("e1") == "social"
    assert here.seats.passivate("e1") == ""
    assert (here.host.told, here.bridge.listening) == ([], set())
