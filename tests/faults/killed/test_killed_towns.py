"""Towns killed ten times at random live as if nothing had happened."""

import random
import shutil
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import pytest

from actors.sandbox.movement.trajectory_reader import trajectory_of
from events.base import Event
from events.episode import ActionTaken, EpisodeEnded
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import Numbered, read_history
from tests.faults.process import Troupe
from tests.support.runs import record
from tests.support.servers.nats_server import until
from tests.support.store_checks import check_store

KILLS = 10
PLAN = """
environment = "sandbox"
catalog = "ternby"
seed = 11
[sandbox]
steps = 1300
[tasks]
limit = 2
[minds.neighbour]
kind = "rehearsal"
temper = "ga"
[seats]
pairings = "first"
"""


def lives(store: EventStore, run: str) -> dict[str, list[Event]]:
    """Each town's history; which of those who are asked together answers first, is nobody's
    choice."""
    return {
        episode.id: in_the_order_of_seats(read_history(store, episode.id))
        for episode in queries.plan(store, run).episodes
    }


def in_the_order_of_seats(history: Iterable[Numbered]) -> list[Event]:
    """A history with the answers of each turn by seat."""
    found: list[Event] = []
    events = (numbered.event for numbered in history)
    for answers, together in groupby(events, lambda event: isinstance(event, ActionTaken)):
        some = list(together)
        found += sorted(some, key=attrgetter("seat")) if answers else some
    return found


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_towns_killed_ten_times_live_as_if_they_never_had_been(tmp_path: Path):
    draw = random.Random(7)
    spared, killed = Troupe(tmp_path / "spared"), Troupe(tmp_path / "killed")
    # The same run in two places: ids derive from the run's, so that all events have to be the same.
    store = spared.open()
    run = record(store, tmp_path, PLAN)
    store.close()
    shutil.copytree(spared.folder, killed.folder)

    store = spared.open()
    process = await spared.start("resume", run)
    assert await process.ended() == 0, process.said()
    expected, length = lives(store, run), store.head()
    store.close()
    assert all(isinstance(events[-1], EpisodeEnded) for events in expected.values())

    store = killed.open()
    for part in range(KILLS):
        drawn = round(length * (part + draw.random()) / (KILLS + 1))
        moment = max(drawn, store.head() + 1)
        process = await killed.start("resume", run)
        await process.kill_when(lambda moment=moment: store.head() >= moment)
        await until(lambda: not killed.servers())
    process = await killed.start("resume", run)
    assert await process.ended() == 0, process.said()
    found = lives(store, run)
    assert found == expected
    for episode, history in found.items():
        did, would = trajectory_of(history), trajectory_of(expected[episode])
        assert (did.tiles == would.tiles).all()
        assert (did.spans, did.talks) == (would.spans, would.talks)
    check_store(store, run)
    store.close()
