"""What a mind concluded, as the page's pictures are given it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from events.episode import EpisodeForked
from events.thoughts import DayPlanned, Decided, MemoryAdded
from gateway.errors import BadArgument
from gateway.services.episodes.thoughts import thoughts_of
from store.log.event_store import NEW, EventStore
from store.open_store import open_store
from tests.support.builders import act, episode, mind, started

MOVES: list[Any] = [(0, "Hello."), (1, "Yes?"), (0, "Nothing.")]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    found = open_store(f"sqlite:///{tmp_path}/troupe.db")
    yield found
    found.close()


def decided(turn: int, text: str) -> Decided[Any]:
    memory = MemoryAdded(id=turn, kind="thought", text=text, at=60.0 * turn, embedding=b"1234")
    return Decided(turn=turn, thoughts=(memory,), action=act("speak", text), at=60.0 * turn)


def test_they_come_in_order_without_the_numbers_of_their_embeddings(store: EventStore):
    store.append("episode-eplain", NEW, episode(started(), MOVES))
    plan = Decided(turn=1, thoughts=(DayPlanned(day=0, wake=400),), action=act("speak", "Hello."))
    store.append("agent-eplain.0", NEW, [plan, decided(3, "Ben is at the door")])
    first, second = thoughts_of(store, "eplain", 0)
    assert first.thoughts == (DayPlanned(day=0, wake=400),)
    assert (second.turn, second.at) == (3, 180.0)
    assert second.thoughts == (
        MemoryAdded(id=3, kind="thought", text="Ben is at the door", at=180.0),
    )
    assert thoughts_of(store, "eplain", 1) == ()


def test_a_fork_has_those_of_the_past_that_it_shares_and_no_others(store: EventStore):
    store.append("episode-eplain", NEW, episode(started(), MOVES))
    store.append("agent-eplain.0", NEW, [decided(1, "shared"), decided(3, "not shared")])
    forked = EpisodeForked(parent="eplain", at=4, minds=(mind("other"), mind("cold")))
    rest = episode(started(), MOVES)[5:]
    store.append("episode-efork", NEW, [forked, *rest])
    store.append("agent-efork.0", NEW, [decided(3, "its own")])
    told = [one.thoughts[0] for one in thoughts_of(store, "efork", 0)]
    assert [one.text for one in told if isinstance(one, MemoryAdded)] == ["shared", "its own"]


def test_a_seat_that_is_not_there_is_refused(store: EventStore):
    store.append("episode-eplain", NEW, episode(started(), MOVES))
    with pytest.raises(BadArgument):
        thoughts_of(store, "eplain", 7)
